import { exportClips } from '../../../contract/events/timeline.ts'
import { getDataExportUrl, exportAccountData } from '../../../contract/account/data-export.ts'
import { type Attempts, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendCall, fetchData, type AttackEnvironment } from './attack-environment.ts'
import { CLIP_BYTES, type Household, createHousehold, THUMBNAIL_BYTES } from './household.ts'

/** Returns signed media URLs of one session. Signed URLs work without a cookie. */
async function listMediaUrls({ browser, event }: Household): Promise<Record<string, string>> {
  const clip = (await browser.get(`/m/clip/${event}`)).headers.get('location') ?? ''
  const exported = await fetchData(browser, exportClips, { files: [{ event_id: event, name: 'Door.mp4' }] })
  const { take_id } = (await fetchData(browser, exportAccountData, { zone: 'UTC' })) as { take_id: string }
  const take = await fetchData(browser, getDataExportUrl, { take_id })
  return { clip, zip: exported.url as string, take: take.url as string }
}

/** Passes if the URL is rejected and the body contains no media of the household. */
async function expectRejected(url: string, init: RequestInit = {}): Promise<Verdict> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const body = Buffer.from(await answer.arrayBuffer())
  if (body.includes(CLIP_BYTES) || body.includes(THUMBNAIL_BYTES))
    return `the response (${answer.status}) contains the media`
  return [400, 401, 403, 404].includes(answer.status) || `got ${answer.status}`
}

async function tryForgedUrls(attempts: Attempts, urls: Readonly<Record<string, string>>): Promise<void> {
  for (const [kind, mediaUrl] of Object.entries(urls)) {
    const url = new URL(mediaUrl)
    const [exp, sig] = [Number(url.searchParams.get('exp')), url.searchParams.get('sig') ?? '']
    const changes: readonly [string, (to: URL) => void][] = [
      ['a later expiry', (to) => to.searchParams.set('exp', String(exp + 3_600_000))],
      ['no expiry', (to) => to.searchParams.delete('exp')],
      ['an expiry that is not an integer', (to) => to.searchParams.set('exp', `${exp}.0`)],
      ['no signature', (to) => to.searchParams.delete('sig')],
      ['a short signature', (to) => to.searchParams.set('sig', sig.slice(0, 32))],
      ['an upper-case signature', (to) => to.searchParams.set('sig', sig.toUpperCase())],
      ['another media token', (to) => to.searchParams.set('p', `A${to.searchParams.get('p') ?? ''}`)],
      ['another kind', (to) => (to.pathname = to.pathname.replace(/\/media\/\w+/, '/media/thumb'))],
      ['another id', (to) => (to.pathname += 'x')],
      ['a path traversal', (to) => (to.pathname = `${to.pathname}/%2e%2e/x`)],
    ]
    await attempts.tryEach(`the address of a ${kind} with`, changes, ([, change]) => {
      const forged = new URL(mediaUrl)
      change(forged)
      return expectRejected(forged.href)
    })
  }
}

const BAD_FILE_NAMES = [
  '../up.mp4',
  '..\\up.mp4',
  'a/b.mp4',
  'C:\\a.mp4',
  '/etc/passwd',
  '.hidden',
  'nul\u0000.mp4',
  '',
  'a\nb.mp4',
]

async function tryArchiveNames(attempts: Attempts, { browser, event }: Household): Promise<void> {
  await attempts.tryEach(
    'a file of an archive named',
    [...BAD_FILE_NAMES, 'x'.repeat(121), '*.mp4', 'a?b'],
    async (name) => expectStatus(await sendCall(browser, exportClips, { files: [{ event_id: event, name }] }), 400),
  )
}

async function tryStrangers(
  attempts: Attempts,
  environment: AttackEnvironment,
  { event, camera }: Household,
): Promise<void> {
  const strangers = [await environment.signIn('free@example.com'), await environment.signIn('shared@example.com')]
  for (const { email, browser } of strangers) {
    const paths = [`/m/thumb/${event}`, `/m/clip/${event}`, `/m/last/${camera}`]
    await attempts.tryEach(`the media of another home as ${email}`, paths, async (path) => {
      const answer = await browser.get(path)
      const location = answer.headers.get('location')
      if (location !== null) return expectRejected(location)
      const body = Buffer.from(await answer.arrayBuffer())
      return (!body.includes(THUMBNAIL_BYTES) && [204, 404].includes(answer.status)) || `got ${answer.status}`
    })
    await attempts.try(`an archive of another home as ${email}`, event, async () =>
      expectStatus(await sendCall(browser, exportClips, { files: [{ event_id: event, name: 'Door.mp4' }] }), 404),
    )
  }
}

export const mediaAttacks = {
  name: 'media',
  guarantee: 'URLs of clips and archives expire with the session, cannot be forged, and give no access to another home',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const household = await createHousehold(environment)
    const other = await environment.signIn(household.email)
    const urls = await listMediaUrls(household)
    for (const [kind, url] of Object.entries(urls))
      requireControl(`the ${kind}`, (await fetch(url)).status === 200 || 'the server did not send it')
    requireControl('the thumbnail', await expectStatus(await household.browser.get(`/m/thumb/${household.event}`), 200))
    await tryForgedUrls(attempts, urls)
    await tryArchiveNames(attempts, household)
    await tryStrangers(attempts, environment, household)
    await household.browser.post('/api/auth/logout')
    await attempts.tryEach('a media URL after sign-out:', Object.entries(urls), ([, url]) => expectRejected(url))
    await attempts.tryEach('a range request after sign-out:', Object.entries(urls), ([, url]) =>
      expectRejected(url, { headers: { range: 'bytes=0-3' } }),
    )
    await attempts.try('a thumbnail after sign-out', household.event, async () =>
      expectStatus(await household.browser.get(`/m/thumb/${household.event}`), 401),
    )
    requireControl(
      'another session of the same account',
      await expectStatus(await other.browser.get(`/m/thumb/${household.event}`), 200),
    )
  },
}
