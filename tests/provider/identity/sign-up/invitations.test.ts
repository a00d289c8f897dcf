import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getShares, revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getSignUpPolicy } from '../../../../provider/accounts/invitations/sign-up-policy.ts'
import type { Env } from '../../../../provider/env.ts'
import { readAccountAccess } from '../../../../provider/homes/members/account-access.ts'
import { listCameraAccess } from '../../../../provider/homes/members/camera-access.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { submitForm } from '../../../support/provider.ts'
import { parseAlert } from '../../../support/second-factor.ts'
import { VisitorWithAddress } from '../../../support/visitor.ts'

const PASSWORD = 'seven red kites at noon'
let addressCount = 0
const createEmail = () => `guest${(addressCount += 1)}@example.com`

const share = (neighborhood: Neighborhood, email: string, change: object = {}) =>
  neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email, role: 2, ...change })
const createPerson = ({ stage }: Neighborhood) => new VisitorWithAddress(stage.env.PORTAL_ORIGIN)
const openPage = async (neighborhood: Neighborhood, url: string) => (await createPerson(neighborhood).fetch(url)).text()

async function accept(neighborhood: Neighborhood, url: string, fields: Record<string, string> = {}) {
  const page = new URL('/account/create', neighborhood.stage.env.PROVIDER_ORIGIN)
  const invite = new URL(url).searchParams.get('invite') ?? ''
  const answer = await submitForm(createPerson(neighborhood), page, { invite, password: PASSWORD, ...fields })
  return { location: answer.headers.get('location'), html: await answer.text() }
}

async function findUserId({ bindings }: Neighborhood, email: string): Promise<string | null> {
  return await bindings.DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind(email).first<string>('user_id')
}

async function openTestNeighborhood(change: Record<string, string>): Promise<Neighborhood> {
  const neighborhood = await openNeighborhood({ change: () => ({ TRUST_PROXY: '1', ...change }) })
  for (const device of ['door_a', 'yard_a']) await neighborhood.a.bridge.register(device)
  return neighborhood
}

describe('OPEN-164 an invitation by email', () => {
  let neighborhood: Neighborhood
  beforeAll(async () => {
    neighborhood = await openTestNeighborhood({ SIGN_UP: 'invite', DEMO: '1' })
  })
  afterAll(() => neighborhood.close())

  async function listLinks(email: string): Promise<string[]> {
    const origin = neighborhood.stage.env.PROVIDER_ORIGIN
    const list = await (await fetch(`${origin}/mail`)).text()
    const paths = [...list.matchAll(/href="(\/mail\/msg_\w+)"[\s\S]*?To ([^,]+),/g)]
    const pages = await Promise.all(
      paths.filter(([, , to]) => to === email).map(async ([, path = '']) => (await fetch(origin + path)).text()),
    )
    return pages.flatMap((page) => /http\S+\/account\/create\?invite=[\w-]+/.exec(page)?.[0] ?? [])
  }

  test('creates the account without a second email, and shows the camera', async () => {
    const email = createEmail()
    expect((await share(neighborhood, email)).body.data).toEqual({})
    const [link = ''] = await listLinks(email)
    const form = await openPage(neighborhood, link)
    expect(form).toMatch(new RegExp(`value="${email}"[^>]*readonly`))
    expect(form).toContain('a@example.com shared ')
    expect(parseAlert((await accept(neighborhood, link, { password: 'short' })).html)).toBeDefined()
    expect((await accept(neighborhood, link, { email: 'someone.else@example.com' })).location).toContain('step=done')
    const userId = (await findUserId(neighborhood, email)) ?? ''
    expect(listCameraAccess(await readAccountAccess(neighborhood.bindings, userId), ['door_a'])).toHaveLength(1)
    expect(await findUserId(neighborhood, 'someone.else@example.com')).toBeNull()
  })

  test('to all cameras is one email, which ends with the last share', async () => {
    const [email, revoked] = [createEmail(), createEmail()]
    const unshare = (device_id: string) => neighborhood.call(neighborhood.a, revokeShare, { device_id, email: revoked })
    for (const person of [email, email, revoked])
      expect((await share(neighborhood, person, { all_cameras: true })).body.data).toEqual({})
    const [links, [revokedLink = '']] = [await listLinks(email), await listLinks(revoked)]
    expect(links).toHaveLength(1)
    expect(await openPage(neighborhood, links[0] ?? '')).toContain('a@example.com shared 2 cameras with you')
    expect((await accept(neighborhood, links[0] ?? '')).location).toContain('step=done')
    const userId = (await findUserId(neighborhood, email)) ?? ''
    expect(listCameraAccess(await readAccountAccess(neighborhood.bindings, userId), ['door_a', 'yard_a'])).toHaveLength(
      2,
    )

    await unshare('door_a')
    expect(await openPage(neighborhood, revokedLink)).toMatch(/a@example\.com shared (?!2)/)
    await unshare('yard_a')
    expect(await openPage(neighborhood, revokedLink)).not.toContain('<form')
  })

  test('works once', async () => {
    const email = createEmail()
    await share(neighborhood, email)
    const [link = ''] = await listLinks(email)
    const answers = await Promise.all([accept(neighborhood, link), accept(neighborhood, link)])
    expect(answers.filter(({ location }) => location !== null)).toHaveLength(1)
    expect(await openPage(neighborhood, link)).not.toContain('<form')
  })

  test('ends with the share and after seven days', async () => {
    const [revoked, late] = [createEmail(), createEmail()]
    for (const email of [revoked, late]) await share(neighborhood, email)
    const links = [...(await listLinks(revoked)), ...(await listLinks(late))]
    await neighborhood.call(neighborhood.a, revokeShare, { device_id: 'door_a', email: revoked })
    await neighborhood.bindings.DB.prepare('UPDATE invitation_links SET until = until - 604800000 WHERE email = ?')
      .bind(late)
      .run()
    expect(links).toHaveLength(2)
    for (const link of links) expect((await accept(neighborhood, link)).location).toBeNull()
    expect([await findUserId(neighborhood, revoked), await findUserId(neighborhood, late)]).toEqual([null, null])
  })

  test('is sent once for a repeated share, and stored as a hash', async () => {
    const email = createEmail()
    await share(neighborhood, email)
    await share(neighborhood, email)
    const links = await listLinks(email)
    expect(links).toHaveLength(1)
    const token = new URL(links[0] ?? '').searchParams.get('invite') ?? ''
    const { results } = await neighborhood.bindings.DB.prepare('SELECT * FROM invitation_links').all()
    expect(JSON.stringify(results)).not.toContain(token)
  })
})

describe('OPEN-164 an invitation without mail', () => {
  let neighborhood: Neighborhood
  beforeAll(async () => {
    neighborhood = await openTestNeighborhood({ SIGN_UP: 'invite', DEMO: '0', BILLING_GATEWAY: '' })
  })
  afterAll(() => neighborhood.close())

  test('is a link with a QR code, which the owner hands over', async () => {
    const email = createEmail()
    const { invitation } = (await share(neighborhood, email)).body.data
    expect(invitation.qr).toMatchObject({
      size: expect.any(Number) as number,
      path: expect.stringMatching(/^M/) as string,
    })
    expect((await accept(neighborhood, invitation.url)).location).toContain('step=done')
    expect(await findUserId(neighborhood, email)).not.toBeNull()
    expect((await neighborhood.call(neighborhood.a, getShares)).body.data.invites).toBe('link')
  })

  test('is created for an address with an account, too, so that the dialog reveals no account', async () => {
    const [existing, unknown] = [await share(neighborhood, 'b@example.com'), await share(neighborhood, createEmail())]
    expect(Object.keys(existing.body.data.invitation)).toEqual(Object.keys(unknown.body.data.invitation))
    expect((await accept(neighborhood, existing.body.data.invitation.url)).location).toBeNull()
  })

  test('is the only way to an account', async () => {
    const page = await fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}/account/create`)
    expect([page.status, (await page.text()).includes('<form')]).toEqual([404, false])
  })
})

test('OPEN-164 with SIGN_UP=off a share is stored without an invitation', async () => {
  const neighborhood = await openTestNeighborhood({ SIGN_UP: 'off', DEMO: '1' })
  const email = createEmail()
  expect((await share(neighborhood, email)).body).toMatchObject({ code: 200, data: {} })
  const { shares, invites } = (await neighborhood.call(neighborhood.a, getShares)).body.data
  expect([shares.map((entry: { email: string }) => entry.email), invites]).toEqual([[email], 'none'])
  const { results } = await neighborhood.bindings.DB.prepare('SELECT * FROM invitation_links').all()
  expect(results).toEqual([])
  await neighborhood.close()
})

test.each([
  ['http://localhost:4321', 'open'],
  ['https://192.168.1.20', 'invite'],
  ['https://porchlight.local', 'invite'],
  ['https://[fd00::1]', 'invite'],
  ['https://portal.example', 'off'],
])('OPEN-164 the default policy at %s is %s', (origin, policy) => {
  const env = { PORTAL_ORIGIN: origin, PROVIDER_ORIGIN: origin, SMTP_URL: 'smtp://mail.example' } as Env
  expect(getSignUpPolicy(env)).toBe(policy)
  expect(getSignUpPolicy({ ...env, SIGN_UP: 'open', SMTP_URL: '' })).toBe('invite')
})
