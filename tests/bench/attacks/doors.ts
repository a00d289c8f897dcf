import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SceneLibrary } from '../../../bridge/virtual/scene-library.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { getBridges, makeBridgeCode } from '../../../contract/cameras/owner-calls.ts'
import { sealFor } from '../../support/adding.ts'
import { CAMERA, TestBridge } from '../../support/home.ts'
import { RtspServer } from '../../support/rtsp-server.ts'
import { shortReel } from '../recordings.ts'
import { type Attempts, expectSame, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendSealedMessage, openDoor, passOn } from './box.ts'
import { sendCall, fetchData, type Ground, type Member } from './ground.ts'
import { askBridge } from '../../../contract/cameras/camera-setup.ts'
import { openHousehold } from './household.ts'

const AT_ONCE = 8
const CANARY = `canary-${randomBytes(8).toString('hex')}`
/** Camera check that fails immediately (the address is not RTSP), so the bridge answers without delay. */
const CHECK = { ask: 'check', address: 'http://a/', user: '', password: '' }
type Door = Awaited<ReturnType<typeof openDoor>>

const isSilent = async (member: Member, door: Door, sealed: Parameters<typeof passOn>[2]): Promise<Verdict> =>
  expectSame((await passOn(member, door.bridge_id, sealed)).length, 0)

/** Sealed messages that an attacker between page and bridge repeats or changes. */
async function trySealedBoxes(attempts: Attempts, ground: Ground): Promise<void> {
  const member = await ground.member('Home of the sealed box')
  const first = await openDoor(member)
  const sent = (await sealFor(first, CHECK)).sealed
  const control = await passOn(member, first.bridge_id, sent)
  requireControl('a sealed message is answered', expectSame(control.length > 0, true))
  await attempts.try('a message again', 'replay', () => isSilent(member, first, sent))
  const changes: readonly [string, (door: Door) => Door][] = [
    ['another bridge', (door) => ({ ...door, bridge_id: 'bridge_other' })],
    ['another home', (door) => ({ ...door, home_id: 'home_owner' })],
    ['the nonce before', (door) => ({ ...door, nonce: first.nonce })],
    ['a nonce that nobody gave', (door) => ({ ...door, nonce: 'A'.repeat(22) })],
  ]
  await Promise.all(
    changes.map(([name, change]) =>
      attempts.try('a message sealed for', name, async () => {
        const door = await openDoor(member)
        return isSilent(member, door, (await sealFor(change(door), CHECK)).sealed)
      }),
    ),
  )
  await tryEditedBoxes(attempts, await ground.member('Home of the edited box'))
  await tryForeignDoors(attempts, ground, first)
}

/**
 * Needs an account of its own: an unanswered message stays open for one minute, and at most five messages may be open
 * per account and eight per bridge.
 */
async function tryEditedBoxes(attempts: Attempts, member: Member): Promise<void> {
  // The first call enrolls the bridge for this home, so it runs before the parallel attempts.
  await openDoor(member)
  const edits: readonly [string, (box: string) => string][] = [
    ['its end changed', (box) => `${box.slice(0, -4)}${box.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`],
    ['its end cut off', (box) => box.slice(0, -8)],
  ]
  await Promise.all(
    edits.map(([name, edit]) =>
      attempts.try('a message with', name, async () => {
        const door = await openDoor(member)
        const { sealed } = await sealFor(door, CHECK)
        return isSilent(member, door, { ...sealed, box: edit(sealed.box) })
      }),
    ),
  )
}

async function tryForeignDoors(attempts: Attempts, ground: Ground, door: Door): Promise<void> {
  const { sealed } = await sealFor(door, CHECK)
  const stranger = await ground.member()
  const house = await openHousehold(ground)
  await attempts.try('a message of somebody without a home', door.bridge_id, async () =>
    expectStatus(await sendCall(stranger.browser, askBridge, { bridge_id: door.bridge_id, sealed }), 403, 404),
  )
  await attempts.try('a message to the bridge of another home', house.bridge.id, async () => {
    const { browser } = await ground.signIn('free@example.com')
    return expectStatus(await sendCall(browser, askBridge, { bridge_id: house.bridge.id, sealed }), 404)
  })
  const malformed = [
    { ...sealed, box: 'a'.repeat(3001) },
    { ...sealed, box: '' },
    { ...sealed, page_key: 'k' },
    { ...sealed, nonce: '' },
  ]
  await attempts.each('a malformed message', malformed, async (message) =>
    expectStatus(await sendCall(house.browser, askBridge, { bridge_id: house.bridge.id, sealed: message }), 400),
  )
}

const enrollBridge = (ground: Ground, code: string) =>
  ground.person().fetch(ground.env.PROVIDER_ORIGIN + BRIDGE_PATHS.enrol, {
    method: 'POST',
    body: JSON.stringify({ code, name: 'Box' }),
    headers: { 'content-type': 'application/json' },
  })

async function tryCodes(attempts: Attempts, ground: Ground): Promise<void> {
  const { browser } = await ground.member('Home of the code')
  const newCode = async () => ((await fetchData(browser, makeBridgeCode)) as { code: string }).code
  const old = await newCode()
  const code = await newCode()
  await attempts.each(
    'a code',
    [old, '', '0000-0000', '%', "' OR 1=1", code.slice(0, -1), `${code}0`],
    async (wrongCode) => expectStatus(await enrollBridge(ground, wrongCode), 400, 404),
  )
  await attempts.try(`one code ${AT_ONCE} times at once`, code, async () => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => enrollBridge(ground, code)))
    return expectSame(answers.filter(({ status }) => status === 200).length, 1)
  })
  await attempts.try('a used code again', code, async () => expectStatus(await enrollBridge(ground, code), 404))
}

async function trySignatures(attempts: Attempts, ground: Ground): Promise<void> {
  const { bridge, camera } = await openHousehold(ground)
  const path = `${BRIDGE_PATHS.cameras}/${camera}`
  const body = JSON.stringify(CAMERA)
  const put = (headers: Record<string, string>, to = path, sent = body, method = 'PUT') =>
    ground.person().fetch(ground.env.PROVIDER_ORIGIN + to, { method, headers, body: sent })
  const signed = (time?: number) => bridge.headers('PUT', path, body, time)
  requireControl('a signed request is taken', await expectStatus(await put(signed()), 200))
  const other = new TestBridge('', bridge.id)
  const changes: Readonly<Record<string, () => Promise<Response>>> = {
    'another body': () => put(signed(), path, body.replace('Front', 'Other')),
    'another path': () => put(signed(), `${path}x`),
    'a query': () => put(signed(), `${path}?a=1`),
    'another method': () => put(signed(), path, '', 'DELETE'),
    'a time of two minutes ago': () => put(signed(Date.now() - 120_000)),
    'a time in two minutes': () => put(signed(Date.now() + 120_000)),
    'another time': () => put({ ...signed(), 'x-bridge-time': String(Date.now() + 1) }),
    'another key': () => put(other.headers('PUT', path, body)),
    'no signature': () => put({ ...signed(), 'x-bridge-signature': '' }),
    'another bridge': () => put({ ...signed(), authorization: 'Bridge bridge_nobody' }),
    'another digest': () => put({ ...signed(), 'content-digest': bridge.headers('PUT', path)['content-digest'] ?? '' }),
  }
  await attempts.each('a signed request with', Object.entries(changes), async ([, send]) =>
    expectStatus(await send(), 401),
  )
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns command lines and environments of this Porchlight's processes. */
function processTexts(data: string): string[] {
  const run = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: Record<string, { pid: number }> }
  const groups = new Set(Object.values(run.parts).map(({ pid }) => String(pid)))
  const readProcessGroup = (pid: string) =>
    readOrEmpty(`/proc/${pid}/stat`)
      .replace(/^.*\) /, '')
      .split(' ')[2] ?? ''
  const own = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && groups.has(readProcessGroup(entry)))
  return own.flatMap((pid) => ['cmdline', 'environ'].map((name) => readOrEmpty(`/proc/${pid}/${name}`)))
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** Searches for leaks of the password of a camera that was added in the page. */
async function tryPassword(attempts: Attempts, ground: Ground): Promise<void> {
  const library = await SceneLibrary.open(fileURLToPath(new URL('../../../scenes/', import.meta.url)))
  const credentials = { user: 'viewer', password: CANARY }
  const camera = await RtspServer.start({ stream: await shortReel(0, library), credentials })
  const member = await ground.member('Home of the password')
  try {
    const added = await sendSealedMessage(member, { ask: 'add', address: camera.url(), ...credentials, name: 'Door' })
    requireControl('the camera is added', expectSame(added[0]?.answer, 'added'))
    const checked = await sendSealedMessage(member, { ask: 'check', address: camera.url(), ...credentials })
    requireControl('the camera gives a picture', expectSame(JSON.stringify(checked).includes('"picture"'), true))
    requireControl('the processes can be read', expectSame(processTexts(ground.data).length > 4, true))
    const holders = filesUnder(ground.data).filter((file) => readOrEmpty(file).includes(CANARY))
    await attempts.try('the password in files', CANARY, () =>
      Promise.resolve(expectSame(holders, [join(ground.data, 'cameras.json')])),
    )
    await attempts.try('the password in processes', CANARY, () =>
      Promise.resolve(expectSame(processTexts(ground.data).filter((text) => text.includes(CANARY)).length, 0)),
    )
    await attempts.each('the password in the answer of', [getHomeDevices, getBridges], async (call) => {
      const input = call === getHomeDevices ? { device_category: 'camera', env: 'beta' } : {}
      return expectSame((await (await sendCall(member.browser, call, input)).text()).includes(CANARY), false)
    })
    await attempts.try('the password in answers of the bridge', CANARY, () =>
      Promise.resolve(expectSame(JSON.stringify([added, checked]).includes(CANARY), false)),
    )
  } finally {
    await camera.close()
  }
}

export const doors = {
  name: 'sealed messages, codes, signatures',
  promise: 'a message is opened once by its bridge, a code enrolls once, a signature covers all of a request',
  async run(attempts: Attempts, ground: Ground) {
    await trySealedBoxes(attempts, ground)
    await tryCodes(attempts, ground)
    await trySignatures(attempts, ground)
    await tryPassword(attempts, ground)
  },
}
