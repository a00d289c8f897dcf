import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page, type Response } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TIME_ZONE_COOKIE } from '../../contract/wire/constants.ts'
import { browserOptions } from '../../scripts/tools.mjs'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { scaleTimeout } from '../support/machine.ts'
import { canCreateNamespaces, HomeNetwork, HUB_ADDRESS } from '../support/network-namespaces.ts'
import { launchPorchlight, stopPorchlight, waitForOutput, type Porchlight } from '../support/porchlight.ts'

const PASSWORD = 'a long own password'
const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
}
const POLL_OPTIONS = { timeout: scaleTimeout(20_000), interval: 200 }

/** Connects to every TCP port of a host and prints the open ones. */
const SCAN_SOURCE = `
import { connect } from 'node:net'
const [host] = process.argv.slice(1)
const open = []
let next = 1
const probe = (port) => new Promise((resolve) => {
  const socket = connect({ host, port, timeout: 5000 })
  const end = (isOpen) => { if (isOpen) open.push(port); socket.destroy(); resolve() }
  socket.on('connect', () => end(true)).on('error', () => end(false)).on('timeout', () => end(false))
})
await Promise.all(Array.from({ length: 200 }, async () => { while (next <= 65535) await probe(next++) }))
console.log(JSON.stringify(open.sort((a, b) => a - b)))`

/** Connects with TLS and prints the result of the check against the certificate authority. */
const TLS_SOURCE = `
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
const [host, port, ca] = process.argv.slice(1)
const socket = connect({ host, port: Number(port), ca: readFileSync(ca), ALPNProtocols: ['h2', 'http/1.1'] })
socket.on('secureConnect', () => { console.log('trusted ' + socket.alpnProtocol); socket.destroy() })
socket.on('error', (error) => console.log(error.code))`

describe.skipIf(!canCreateNamespaces())('npm start -- --lan', { timeout: scaleTimeout(180_000) }, () => {
  let network: HomeNetwork
  let dataFolder: string
  let porchlight: Porchlight
  let port: number
  let trusting: Browser
  let phone: BrowserContext
  /** Names of the cookies that each origin set. */
  const cookieNames = new Map<string, Set<string>>()

  const getOrigin = (offset: number, scheme = 'https') => `${scheme}://${HUB_ADDRESS}:${port + offset}`
  const getAuthorityFile = () => join(dataFolder, 'tls/ca.pem')
  const findSetupCode = () => porchlight.lines.join('\n').match(/Setup code: (\S+)/)?.[1] ?? ''
  const launchBrowser = (...args: string[]) => {
    const options = browserOptions()
    const executablePath = network.wrapForPhone(options.executablePath ?? chromium.executablePath())
    return chromium.launch({ executablePath, args: [...options.args, ...args] })
  }
  const measureVideo = (page: Page) =>
    page.evaluate(() => {
      const video = document.querySelector('video')
      return { transport: video?.srcObject ? 'webrtc' : 'relay', time: video?.currentTime ?? 0 }
    })
  const expectLiveVideo = async (page: Page, transport: string) => {
    await expect.poll(async () => (await measureVideo(page)).transport, POLL_OPTIONS).toBe(transport)
    const { time } = await measureVideo(page)
    await expect.poll(async () => (await measureVideo(page)).time, POLL_OPTIONS).toBeGreaterThan(time + 1)
  }

  const recordCookieNames = async (response: Response) => {
    const { origin } = new URL(response.url())
    const names = cookieNames.get(origin) ?? new Set()
    cookieNames.set(origin, names)
    // The test may close the page before its last response is complete.
    const headers = await response.headersArray().catch(() => [])
    for (const { name, value } of headers) if (name.toLowerCase() === 'set-cookie') names.add(value.split('=')[0] ?? '')
  }

  beforeAll(async () => {
    network = new HomeNetwork()
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-lan-'))
    port = await findFreePort()
    const args = ['--lan', '--virtual', '1', '--visits', 'none']
    porchlight = launchPorchlight(dataFolder, port, args, {}, network.hubPrefix)
    await waitForOutput(porchlight, 'Stop with Ctrl-C')
    const { publicKey } = new X509Certificate(readFileSync(join(dataFolder, 'tls/server.pem')))
    const pin = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
    trusting = await launchBrowser(`--ignore-certificate-errors-spki-list=${pin}`)
    phone = await trusting.newContext(PHONE)
    phone.on('response', (response) => void recordCookieNames(response))
  })
  afterAll(async () => {
    await trusting.close()
    await stopPorchlight(porchlight)
    network.delete()
    rmSync(dataFolder, { recursive: true })
  })

  test('a phone that does not trust the certificate yet gets the page that explains how', async () => {
    const browser = await launchBrowser()
    const page = await (await browser.newContext({ ...PHONE, javaScriptEnabled: false })).newPage()
    await page.goto(getOrigin(3, 'http'))
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Trust your hub on this phone')
    const groups = await page.locator('.code span').allTextContents()
    const at = porchlight.lines.findIndex((line) => line.startsWith('Compare the code'))
    expect(groups.join(' ')).toBe(
      porchlight.lines
        .slice(at + 1, at + 5)
        .map((line) => line.trim())
        .join(' '),
    )
    const getColor = (name: string) =>
      page.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).backgroundColor)
    expect(await getColor('Download certificate')).toBe('rgb(106, 63, 208)')
    expect(await getColor('Open Porchlight')).not.toBe('rgb(106, 63, 208)')
    await expect(page.goto(getOrigin(0))).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID')
    await browser.close()
  })

  test('a client that trusts the certificate authority gets HTTP/2 on all three parts', async () => {
    for (const offset of [0, 1, 2])
      expect(await network.runOnPhone(TLS_SOURCE, HUB_ADDRESS, String(port + offset), getAuthorityFile())).toBe(
        'trusted h2',
      )
  })

  test('a phone that trusts the certificate creates the first account with the setup code', async () => {
    const page = await phone.newPage()
    await page.goto(getOrigin(3, 'http'))
    const link = page.getByRole('link', { name: 'Open Porchlight' })
    await expect.poll(() => link.evaluate((a) => getComputedStyle(a).backgroundColor)).toBe('rgb(106, 63, 208)')
    await link.click()
    await page.waitForURL(`${getOrigin(0)}/`)
    await page.goto(`${getOrigin(0)}/live`)
    await page.getByLabel('Setup code').fill(findSetupCode())
    await page.getByLabel('Email').fill('me@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrolled).toBeLessThanOrEqual(PHONE.viewport.width)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`${getOrigin(0)}/live`)
    await page.close()
  })

  test('the hub of the computer serves the first account’s home without a code, and video is live by WebRTC', async () => {
    const page = await phone.newPage()
    await page.goto(`${getOrigin(0)}/live`)
    await expectLiveVideo(page, 'webrtc')
    await page.close()
  })

  test('video is live through the relay without WebRTC, and a recorded clip plays', async () => {
    const page = await phone.newPage()
    await page.addInitScript(() => delete (globalThis as { RTCPeerConnection?: unknown }).RTCPeerConnection)
    let id = ''
    page.on('websocket', (socket) => (id ||= /\/camera\/([^/]+)\/viewer/.exec(socket.url())?.[1] ?? ''))
    await page.goto(`${getOrigin(0)}/live`)
    await expectLiveVideo(page, 'relay')
    expect(id).not.toBe('')
    writeFileSync(join(dataFolder, 'visits', id), '')
    await page.goto(`${getOrigin(0)}/events`)
    await page.locator('a[href*="event="]').first().click({ timeout: POLL_OPTIONS.timeout })
    const clip = page.locator('video[aria-label^=Clip]')
    await expect
      .poll(() => clip.evaluate((video: HTMLVideoElement) => video.currentTime), POLL_OPTIONS)
      .toBeGreaterThan(1)
    await page.close()
  })

  test('cookies of portal and provider have different names and are Secure', async () => {
    const [portal, provider] = [0, 1].map((offset) => [...(cookieNames.get(getOrigin(offset)) ?? [])])
    expect([portal?.length, provider?.length]).not.toContain(0)
    expect(portal?.filter((name) => provider?.includes(name))).toEqual([])
    // Scripts of the portal set the time zone; it is no secret.
    const insecure = (await phone.cookies()).filter(({ secure }) => !secure).map(({ name }) => name)
    expect(insecure.filter((name) => name !== TIME_ZONE_COOKIE)).toEqual([])
  })

  test('nothing else of the computer is reachable', async () => {
    const open = JSON.parse(await network.runOnPhone(SCAN_SOURCE, HUB_ADDRESS)) as number[]
    expect(open).toEqual([port, port + 1, port + 2, port + 3])
  })

  test('a new address is served with a renewed certificate, without a restart', async () => {
    const check = (address: string) => network.runOnPhone(TLS_SOURCE, address, String(port), getAuthorityFile())
    const address = '192.168.77.11'
    expect(await check(address)).not.toContain('trusted')
    network.addHubAddress(address)
    await expect.poll(() => check(address), POLL_OPTIONS).toBe('trusted h2')
    expect(await check(HUB_ADDRESS)).toBe('trusted h2')
    network.removeHubAddress(address)
  })
})
