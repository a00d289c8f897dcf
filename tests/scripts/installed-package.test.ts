import { spawn, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserOptions } from '../../scripts/tools.mjs'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { scaleTimeout } from '../support/machine.ts'
import { canCreateNamespaces, HomeNetwork, HUB_ADDRESS } from '../support/network-namespaces.ts'
import { collectOutput, stopPorchlight, waitForOutput, type Porchlight } from '../support/porchlight.ts'

const root = new URL('../..', import.meta.url).pathname
const MAX_INSTALLED_MB = 400
const POLL_OPTIONS = { timeout: scaleTimeout(30_000), interval: 200 }

describe.skipIf(!canCreateNamespaces())('the npm package', { timeout: scaleTimeout(300_000) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-installed-'))
  const prefix = join(folder, 'prefix')
  const program = join(prefix, 'bin/porchlight')
  const installed = join(prefix, 'lib/node_modules/porchlight')
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder }
  let network: HomeNetwork
  let porchlight: Porchlight
  let browser: Browser
  let port: number

  /** Runs a command of the package on the hub, in the folder that contains the data folder. */
  const run = (command: readonly string[], extraEnv: NodeJS.ProcessEnv = {}) => {
    const [first = '', ...args] = [...network.hubPrefix, ...command]
    const { status, stdout, stderr } = spawnSync(first, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, ...extraEnv },
    })
    return { code: status, output: stdout + stderr }
  }
  const start = async (...options: string[]) => {
    const [first = '', ...args] = [...network.hubPrefix, program, 'start', '--port', String(port), ...options]
    porchlight = collectOutput(spawn(first, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
    await waitForOutput(porchlight, 'Stop with Ctrl-C')
  }

  beforeAll(async () => {
    const npm = (...args: string[]) => {
      const { status, stderr } = spawnSync('npm', [...args, '--loglevel=error'], { cwd: root, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, expect.anything()])
    }
    npm('pack', '--pack-destination', folder)
    const [file = ''] = globSync(join(folder, 'porchlight-*.tgz'))
    npm('install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund', file)
    network = new HomeNetwork()
    port = await findFreePort()
    await start('--lan', '--virtual', '1', '--visits', 'none')
    const { publicKey } = new X509Certificate(readFileSync(join(folder, '.porchlight/tls/server.pem')))
    const pin = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
    const options = browserOptions()
    browser = await chromium.launch({
      executablePath: network.wrapForPhone(options.executablePath ?? chromium.executablePath()),
      args: [...options.args, `--ignore-certificate-errors-spki-list=${pin}`],
    })
  })
  afterAll(async () => {
    await browser.close()
    await stopPorchlight(porchlight)
    network.delete()
    rmSync(folder, { recursive: true })
  })

  test('a phone in the same network creates the first account and sees live video', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    await page.goto(`https://${HUB_ADDRESS}:${port}/live`)
    await page.getByLabel('Setup code').fill(/Setup code: (\S+)/.exec(porchlight.lines.join('\n'))?.[1] ?? '')
    await page.getByLabel('Email').fill('me@example.org')
    await page.getByLabel('Password', { exact: true }).fill('a long own password')
    await page.getByLabel('Confirm password').fill('a long own password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`https://${HUB_ADDRESS}:${port}/live`)
    const readTime = () => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0)
    await expect.poll(readTime, POLL_OPTIONS).toBeGreaterThan(1)
    const { cookies } = await context.storageState()
    expect(cookies.length).toBeGreaterThan(0)
    expect(cookies.filter(({ secure }) => !secure)).toEqual([])
    await context.close()
  })

  test('contains only runtime packages, and is at most 400 MB with them', () => {
    const packages = globSync(['*/package.json', '@*/*/package.json'], { cwd: join(installed, 'node_modules') })
    expect(packages).toContain('miniflare/package.json')
    for (const name of ['astro', 'react', 'typescript', 'vite', 'wrangler'])
      expect(packages).not.toContain(`${name}/package.json`)
    const kilobytes = Number(spawnSync('du', ['-sk', prefix], { encoding: 'utf8' }).stdout.split('\t')[0])
    expect(kilobytes).toBeGreaterThan(0)
    expect(kilobytes / 1024).toBeLessThanOrEqual(MAX_INSTALLED_MB)
  })

  test('contains no path of the computer that built it, and the licenses of the code in its pages', () => {
    const files = globSync('**/*.{js,json,html,css,txt}', { cwd: join(installed, 'dist/package') })
    const leaks = files.filter((file) => readFileSync(join(installed, 'dist/package', file), 'utf8').includes(root))
    expect(files.length).toBeGreaterThan(300)
    expect(leaks).toEqual([])
    const notices = readFileSync(join(installed, 'dist/package/THIRD-PARTY-NOTICES.txt'), 'utf8')
    const listed = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(\S+\)$/gm)].map(([, name]) => name)
    expect(listed).toEqual(expect.arrayContaining(['react', 'hls.js', 'oidc-provider', 'hono', 'daisyui']))
  })

  test('its commands work on the running data folder', () => {
    expect(run([program, 'account', 'list'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('me@example.org'),
    })
    expect(run([program, 'camera', 'list'])).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'passphrase'), 'a long passphrase for backups')
    const passphrase = ['--passphrase-file', 'passphrase']
    expect(run([program, 'backup', 'all.backup', ...passphrase])).toMatchObject({ code: 0 })
    expect(run([program, 'restore', 'all.backup', '--data', 'other', ...passphrase])).toMatchObject({ code: 0 })
  })

  test('the health check of the image sees whether Porchlight runs, also after a restart', async () => {
    const [, command = '[]'] =
      /^HEALTHCHECK[\s\S]*?CMD (\[.+\])$/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8')) ?? []
    const check = () => run(JSON.parse(command) as string[], { PORT: String(port) }).code
    expect(check()).toBe(0)
    await stopPorchlight(porchlight)
    expect(check()).not.toBe(0)
    cpSync(join(folder, '.porchlight'), join(folder, 'copy'), { recursive: true })
    await start('--data', 'copy', '--virtual', '1', '--visits', 'none')
    expect(check()).toBe(0)
  })
})
