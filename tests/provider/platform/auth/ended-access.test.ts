import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogout } from '../../../../contract/auth/user-calls.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { exportClips } from '../../../../contract/events/timeline.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import {
  createBridgeEvent,
  createSignedMediaUrl,
  openNeighborhood,
  type Account,
  type Neighborhood,
} from '../../../support/home.ts'
import { submitForm } from '../../../support/provider.ts'
import { addQuickAccount } from '../../../support/quick-accounts.ts'
import { finishSignIn, submitPassword } from '../../../support/second-factor.ts'
import { openSocket } from '../../../support/socket.ts'
import { Visitor } from '../../../support/visitor.ts'

const PASSWORD = 'correct horse'
const NEW_PASSWORD = 'violet-anchor-71'
/** Larger than all buffers between two processes, so that no transfer ends before the access. */
const LONG_CLIP = Buffer.alloc(48 * 1024 * 1024, 7)

interface Guest extends Account {
  readonly email: string
  /** Browser that is signed in at the provider. */
  readonly browser: Visitor
}

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const { bridge } = neighborhood.a
  await bridge.register('door_a')
  const clip_object = await bridge.upload('door_a', 'clip', 'e1', LONG_CLIP)
  const thumb_object = await bridge.upload('door_a', 'thumb', 'e1', Buffer.from('picture'))
  await bridge.upload('door_a', 'last', 'door_a', Buffer.from('now'))
  await bridge.postEvent(createBridgeEvent('door_a', 'e1', { clip_object, thumb_object }))
})
afterAll(() => neighborhood.close())

async function signIn(email: string, browser = new Visitor(neighborhood.stage.env.PORTAL_ORIGIN)) {
  const { env } = neighborhood.stage
  const submitted = await submitPassword(browser, env, email, PASSWORD)
  const location = submitted.answer.headers.get('location') ?? ''
  return { browser, token: (await finishSignIn(env, submitted, location)).access_token }
}

/** Adds an account with which the camera is shared, and signs it in. */
async function addGuest(name: string): Promise<Guest> {
  const email = `${name}@example.com`
  const { DB } = neighborhood.bindings
  await addQuickAccount(DB, email, PASSWORD)
  const userId = await DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind(email).first<string>('user_id')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email, role: 2 })
  return { ...(await signIn(email)), email, userId: userId ?? '' }
}

const fetchViewerUrl = async (guest: Account): Promise<string> =>
  (await neighborhood.call(guest, getStreams, { device_list: [{ device_id: 'door_a' }] })).body.data.streams[0]
    .signalling_url
const fetchFeedUrl = async (guest: Account): Promise<string> =>
  (await neighborhood.call(guest, feedTicket)).body.data.url
const openPortalSocket = (url: string) => openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })

/** Starts to download; `finish` continues until the end, and returns false if the provider ends the transfer. */
async function startDownload(url: string) {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  await reader.read()
  return async function finish(): Promise<boolean> {
    try {
      while (!(await reader.read()).done);
      return true
    } catch {
      return false
    }
  }
}

const requestAsOperator = (method: string, { email }: Guest) =>
  fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/${email}`, {
    method,
    headers: { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(method === 'PUT' ? { password: NEW_PASSWORD } : {}),
  })
const changePassword = ({ browser }: Guest) =>
  submitForm(browser, new URL('/account/password', neighborhood.stage.env.PROVIDER_ORIGIN), {
    old: PASSWORD,
    password: NEW_PASSWORD,
    repeat: NEW_PASSWORD,
  })

/** Ways in which an account loses its access, and the status of its next call. */
const ENDINGS: readonly [name: string, nextStatus: number, end: (guest: Guest) => Promise<{ status: number }>][] = [
  ['a sign-out', 401, (guest) => neighborhood.call(guest, userLogout)],
  ['a new password', 401, async (guest) => changePassword({ ...guest, ...(await signIn(guest.email)) })],
  ['a new password from the operator', 401, (guest) => requestAsOperator('PUT', guest)],
  [
    'a removed share',
    200,
    ({ email }) => neighborhood.call(neighborhood.a, revokeShare, { device_id: 'door_a', email }),
  ],
  ['a deleted account', 401, (guest) => requestAsOperator('DELETE', guest)],
]

test.each(ENDINGS)('%s ends live sockets, feeds, images and running downloads', async (name, nextStatus, end) => {
  const guest = await addGuest(name.replaceAll(' ', '_'))
  const kinds = ['clip', 'thumb', 'last'] as const
  const urls = await Promise.all(
    kinds.map((kind) => createSignedMediaUrl(neighborhood, guest, kind, kind === 'last' ? 'door_a' : 'e1')),
  )
  const zip = await neighborhood.call(guest, exportClips, { files: [{ event_id: 'e1', name: 'Door.mp4' }] })
  const downloads = await Promise.all([urls[0]!, zip.body.data.url as string].map(startDownload))
  const sockets = await Promise.all(
    [fetchViewerUrl(guest), fetchFeedUrl(guest)].map(async (url) => openPortalSocket(await url)),
  )
  const tickets = [await fetchViewerUrl(guest), await fetchFeedUrl(guest)]

  expect((await end(guest)).status).toBe(200)

  for (const socket of sockets) expect([4401, 4403]).toContain(await socket.closeCode)
  for (const ticket of tickets) await expect(openPortalSocket(ticket)).rejects.toThrow(/40[13]/)
  for (const url of urls) expect([403, 404]).toContain((await fetch(url)).status)
  expect(await Promise.all(downloads.map((finish) => finish()))).toEqual([false, false])
  const next = await neighborhood.call(guest, getHomeDevices, { device_category: 'camera', env: 'beta' })
  expect(next.status).toBe(nextStatus)
  expect(next.body.data?.device_list ?? []).toEqual([])
})

test('tickets that were created before or while a password was being changed open no socket', async () => {
  const guest = await addGuest('hasty')
  const other = { ...guest, ...(await signIn(guest.email)) }
  const tickets = [await fetchFeedUrl(guest)]
  let isChanged = false
  const change = changePassword(other).then(({ status }) => {
    isChanged = true
    return status
  })
  while (!isChanged) {
    const { status, body } = await neighborhood.call(guest, feedTicket)
    if (status === 200) tickets.push(body.data.url as string)
  }
  expect(await change).toBe(200)
  for (const ticket of tickets) await expect(openPortalSocket(ticket)).rejects.toThrow('401')
})

test('a socket that opens while its account is being deleted closes with the data of the account', async () => {
  const guest = await addGuest('late')
  const [viewer, feed] = [
    await openPortalSocket(await fetchViewerUrl(guest)),
    await openPortalSocket(await fetchFeedUrl(guest)),
  ]
  const { CAMERAS, HOMES } = neighborhood.bindings
  await CAMERAS.getByName('door_a').deleteAccountData(guest.userId)
  await HOMES.getByName('home_a').deleteAccountData(guest.userId)
  expect([await viewer.closeCode, await feed.closeCode]).toEqual([4401, 4401])
})
