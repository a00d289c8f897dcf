import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SceneLibrary } from '../../../bridge/virtual/scene-library.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { getBridges, createBridgeCode } from '../../../contract/cameras/owner-calls.ts'
import { sealForBridge } from '../../support/camera-setup-channel.ts'
import { TEST_CAMERA, TestBridge } from '../../support/home.ts'
import { RtspServer } from '../../support/rtsp-server.ts'
import { buildShortStream } from '../recordings.ts'
import { type Attempts, expectEqual, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendSealedMessage, openSealedChannel, forwardSealedMessage } from './sealed-messages.ts'
import { sendCall, fetchData, type AttackEnvironment, type Member } from './attack-environment.ts'
import { forwardSealedRequest } from '../../../contract/cameras/camera-setup.ts'
import { createHousehold } from './household.ts'

const PARALLEL_REQUESTS = 8
const CANARY = `canary-${randomBytes(8).toString('hex')}`
/** Camera check to which the bridge responds immediately, because the address is not RTSP. */
const CAMERA_CHECK = { ask: 'check', address: 'http://a/', user: '', password: '' }
type SealingKeyOffer = Awaited<ReturnType<typeof openSealedChannel>>

const expectNoResponse = async (
  member: Member,
  sealingKey: SealingKeyOffer,
  sealed: Parameters<typeof forwardSealedMessage>[2],
): Promise<Verdict> => expectEqual((await forwardSealedMessage(member, sealingKey.bridge_id, sealed)).length, 0)

/** Replays and changes sealed messages, as an attacker between the page and the bridge could. */
async function trySealedMessages(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const member = await environment.createMember('Home of the sealed box')
  const first = await openSealedChannel(member)
  const sent = (await sealForBridge(first, CAMERA_CHECK)).sealed
  const control = await forwardSealedMessage(member, first.bridge_id, sent)
  requireControl('the bridge responds to a sealed message', expectEqual(control.length > 0, true))
  await attempts.try('a replayed message', 'replay', () => expectNoResponse(member, first, sent))
  const changes: readonly [string, (sealingKey: SealingKeyOffer) => SealingKeyOffer][] = [
    ['another bridge', (sealingKey) => ({ ...sealingKey, bridge_id: 'bridge_other' })],
    ['another home', (sealingKey) => ({ ...sealingKey, home_id: 'home_owner' })],
    ['the previous nonce', (sealingKey) => ({ ...sealingKey, nonce: first.nonce })],
    ['a nonce that the bridge never issued', (sealingKey) => ({ ...sealingKey, nonce: 'A'.repeat(22) })],
  ]
  await Promise.all(
    changes.map(([name, change]) =>
      attempts.try('a message sealed for', name, async () => {
        const sealingKey = await openSealedChannel(member)
        return expectNoResponse(member, sealingKey, (await sealForBridge(change(sealingKey), CAMERA_CHECK)).sealed)
      }),
    ),
  )
  await tryEditedMessages(attempts, await environment.createMember('Home of the edited box'))
  await tryForeignBridges(attempts, environment, first)
}

/**
 * Changes sealed messages. `member` must be a new account: an unanswered message stays open for one minute, and an
 * account may have at most five open messages.
 */
async function tryEditedMessages(attempts: Attempts, member: Member): Promise<void> {
  // The first call assigns the local bridge to this home, so it runs before the parallel attempts.
  await openSealedChannel(member)
  const edits: readonly [string, (box: string) => string][] = [
    ['a changed end', (box) => `${box.slice(0, -4)}${box.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`],
    ['a truncated end', (box) => box.slice(0, -8)],
  ]
  await Promise.all(
    edits.map(([name, edit]) =>
      attempts.try('a message with', name, async () => {
        const sealingKey = await openSealedChannel(member)
        const { sealed } = await sealForBridge(sealingKey, CAMERA_CHECK)
        return expectNoResponse(member, sealingKey, { ...sealed, box: edit(sealed.box) })
      }),
    ),
  )
}

async function tryForeignBridges(
  attempts: Attempts,
  environment: AttackEnvironment,
  sealingKey: SealingKeyOffer,
): Promise<void> {
  const { sealed } = await sealForBridge(sealingKey, CAMERA_CHECK)
  const stranger = await environment.createMember()
  const household = await createHousehold(environment)
  await attempts.try('a message from an account without a home', sealingKey.bridge_id, async () =>
    expectStatus(
      await sendCall(stranger.browser, forwardSealedRequest, { bridge_id: sealingKey.bridge_id, sealed }),
      403,
      404,
    ),
  )
  await attempts.try('a message to the bridge of another home', household.bridge.id, async () => {
    const { browser } = await environment.signIn('free@example.com')
    return expectStatus(await sendCall(browser, forwardSealedRequest, { bridge_id: household.bridge.id, sealed }), 404)
  })
  const malformed = [
    { ...sealed, box: 'a'.repeat(3001) },
    { ...sealed, box: '' },
    { ...sealed, page_key: 'k' },
    { ...sealed, nonce: '' },
  ]
  await attempts.tryEach('a malformed message', malformed, async (message) =>
    expectStatus(
      await sendCall(household.browser, forwardSealedRequest, { bridge_id: household.bridge.id, sealed: message }),
      400,
    ),
  )
}

const enrollBridge = (environment: AttackEnvironment, code: string) =>
  environment.createVisitor().fetch(environment.env.PROVIDER_ORIGIN + BRIDGE_PATHS.enrol, {
    method: 'POST',
    body: JSON.stringify({ code, name: 'Box' }),
    headers: { 'content-type': 'application/json' },
  })

async function tryEnrollmentCodes(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const { browser } = await environment.createMember('Home of the code')
  const newCode = async () => ((await fetchData(browser, createBridgeCode)) as { code: string }).code
  const oldCode = await newCode()
  const code = await newCode()
  await attempts.tryEach(
    'a code',
    [oldCode, '', '0000-0000', '%', "' OR 1=1", code.slice(0, -1), `${code}0`],
    async (wrongCode) => expectStatus(await enrollBridge(environment, wrongCode), 400, 404),
  )
  await attempts.try(`one code ${PARALLEL_REQUESTS} times at once`, code, async () => {
    const answers = await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, () => enrollBridge(environment, code)))
    return expectEqual(answers.filter(({ status }) => status === 200).length, 1)
  })
  await attempts.try('a used code', code, async () => expectStatus(await enrollBridge(environment, code), 404))
}

async function trySignatures(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const { bridge, camera } = await createHousehold(environment)
  const path = `${BRIDGE_PATHS.cameras}/${camera}`
  const body = JSON.stringify(TEST_CAMERA)
  const sendSigned = (headers: Record<string, string>, to = path, sent = body, method = 'PUT') =>
    environment.createVisitor().fetch(environment.env.PROVIDER_ORIGIN + to, { method, headers, body: sent })
  const signHeaders = (time?: number) => bridge.headers('PUT', path, body, time)
  requireControl('a signed request is taken', await expectStatus(await sendSigned(signHeaders()), 200))
  const other = new TestBridge('', bridge.id)
  const changes: Readonly<Record<string, () => Promise<Response>>> = {
    'another body': () => sendSigned(signHeaders(), path, body.replace('Front', 'Other')),
    'another path': () => sendSigned(signHeaders(), `${path}x`),
    'a query': () => sendSigned(signHeaders(), `${path}?a=1`),
    'another method': () => sendSigned(signHeaders(), path, '', 'DELETE'),
    'a time two minutes in the past': () => sendSigned(signHeaders(Date.now() - 120_000)),
    'a time two minutes in the future': () => sendSigned(signHeaders(Date.now() + 120_000)),
    'another time': () => sendSigned({ ...signHeaders(), 'x-bridge-time': String(Date.now() + 1) }),
    'another key': () => sendSigned(other.headers('PUT', path, body)),
    'no signature': () => sendSigned({ ...signHeaders(), 'x-bridge-signature': '' }),
    'another bridge': () => sendSigned({ ...signHeaders(), authorization: 'Bridge bridge_nobody' }),
    'another digest': () =>
      sendSigned({ ...signHeaders(), 'content-digest': bridge.headers('PUT', path)['content-digest'] ?? '' }),
  }
  await attempts.tryEach('a signed request with', Object.entries(changes), async ([, send]) =>
    expectStatus(await send(), 401),
  )
}

const listFilesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns the command lines and environments of all processes of this Porchlight instance. */
function readProcessTexts(dataFolder: string): string[] {
  const run = JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  const groups = new Set(Object.values(run.parts).map(({ pid }) => String(pid)))
  const readProcessGroup = (pid: string) =>
    readOrEmpty(`/proc/${pid}/stat`)
      .replace(/^.*\) /, '')
      .split(' ')[2] ?? ''
  const ownPids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && groups.has(readProcessGroup(entry)))
  return ownPids.flatMap((pid) => ['cmdline', 'environ'].map((name) => readOrEmpty(`/proc/${pid}/${name}`)))
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** Adds a camera with a canary password, then searches files, processes and responses for that password. */
async function tryPasswordLeaks(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const library = await SceneLibrary.open(fileURLToPath(new URL('../../../scenes/', import.meta.url)))
  const credentials = { user: 'viewer', password: CANARY }
  const camera = await RtspServer.start({ stream: await buildShortStream(0, library), credentials })
  const member = await environment.createMember('Home of the password')
  try {
    const added = await sendSealedMessage(member, { ask: 'add', address: camera.url(), ...credentials, name: 'Door' })
    requireControl('the camera is added', expectEqual(added[0]?.answer, 'added'))
    const checked = await sendSealedMessage(member, { ask: 'check', address: camera.url(), ...credentials })
    requireControl(
      'the camera check returns an image',
      expectEqual(JSON.stringify(checked).includes('"picture"'), true),
    )
    requireControl('the processes can be read', expectEqual(readProcessTexts(environment.dataFolder).length > 4, true))
    const holders = listFilesUnder(environment.dataFolder).filter((file) => readOrEmpty(file).includes(CANARY))
    await attempts.try('the password in files', CANARY, () =>
      Promise.resolve(expectEqual(holders, [join(environment.dataFolder, 'cameras.json')])),
    )
    await attempts.try('the password in processes', CANARY, () =>
      Promise.resolve(
        expectEqual(readProcessTexts(environment.dataFolder).filter((text) => text.includes(CANARY)).length, 0),
      ),
    )
    await attempts.tryEach('the password in the response of', [getHomeDevices, getBridges], async (call) => {
      const input = call === getHomeDevices ? { device_category: 'camera', env: 'beta' } : {}
      return expectEqual((await (await sendCall(member.browser, call, input)).text()).includes(CANARY), false)
    })
    await attempts.try('the password in responses of the bridge', CANARY, () =>
      Promise.resolve(expectEqual(JSON.stringify([added, checked]).includes(CANARY), false)),
    )
  } finally {
    await camera.close()
  }
}

export const sealedMessageAttacks = {
  name: 'sealed messages, codes, signatures',
  guarantee: 'a bridge opens each message once, a code enrolls one bridge, and a signature covers the whole request',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    await trySealedMessages(attempts, environment)
    await tryEnrollmentCodes(attempts, environment)
    await trySignatures(attempts, environment)
    await tryPasswordLeaks(attempts, environment)
  },
}
