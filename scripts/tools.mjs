// System programs that the tests need: a browser that plays H.264, and ffmpeg for RTSP cameras.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Chromium without a user interface (docs/decisions/0034), available as a Debian package. Opening a page takes a third
 * of the time that the regular browser needs.
 */
const HEADLESS_SHELL = 'chromium-headless-shell'

function findOnPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}

/**
 * Returns the path in `CHROMIUM`, or the first browser found. Tests prefer the headless shell; benchmarks (`whole`)
 * prefer the regular browser.
 */
function findBrowser({ whole = false } = {}) {
  const names = whole ? [...BROWSERS, HEADLESS_SHELL] : [HEADLESS_SHELL, ...BROWSERS]
  return process.env.CHROMIUM ?? names.map(findOnPath).find(Boolean) ?? findMacBrowser()
}

/**
 * Returns launch options for tests, or for benchmarks (`whole`). The options turn off browser features that use the
 * network.
 */
export function browserOptions({ whole = false } = {}) {
  const path = findBrowser({ whole })
  return {
    ...(path ? { executablePath: path } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  }
}

function findMacBrowser() {
  const path = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return existsSync(path) ? path : undefined
}

/** Returns the path in `FIREFOX`, or the first Firefox found, for `npm run firefox`. */
export function findFirefox() {
  return process.env.FIREFOX ?? ['firefox-esr', 'firefox'].map(findOnPath).find(Boolean)
}

/**
 * Returns the paths of the WebKit driver (`WEBKIT`, or the first one found) and of the virtual X screen, for
 * `npm run webkit`; undefined if one of them is missing.
 */
export function findWebKit() {
  const driver = process.env.WEBKIT ?? findOnPath('WebKitWebDriver')
  const screen = findOnPath('Xvfb')
  return driver && screen ? { driver, screen } : undefined
}

const PACKAGE_REASONS = {
  [HEADLESS_SHELL]: 'the browser suite needs a browser that plays H.264',
  ffmpeg: 'the tests with real cameras use it to send and read video',
}

/**
 * In CI, the headless shell is installed even if another browser is present, because the suites run a third faster with
 * it.
 */
const shouldInstallShell = () =>
  !!process.env.CI && !process.env.CHROMIUM && !!findOnPath('apt-get') && !findOnPath(HEADLESS_SHELL)

function listMissingPackages(/** @type {boolean} */ canInstall) {
  return [
    ...(findBrowser() && !(canInstall && shouldInstallShell()) ? [] : [HEADLESS_SHELL]),
    ...(findOnPath('ffmpeg') ? [] : ['ffmpeg']),
  ]
}

/**
 * Prints missing packages and why they are needed. Installs them with apt-get if `root` and `install` are true. If they
 * are still missing, prints instructions and exits with code 1.
 */
export function ensureTools({ install = true, root = process.getuid?.() === 0 } = {}) {
  const missing = listMissingPackages(install && root)
  if (missing.length === 0) return
  console.log('Missing system packages:')
  for (const name of missing) console.log(`  ${name}: ${PACKAGE_REASONS[name]}`)
  if (!install)
    fail(`Nothing was installed. Install ${missing.join(' and ')}, or run the command again without --no-install.`)
  const apt = findOnPath('apt-get')
  if (apt && root) {
    console.log(
      `Installing ${missing.join(' and ')} with ${apt}. To only list missing packages, run npm test -- --no-install.`,
    )
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const run = (/** @type {string[]} */ ...options) =>
      spawnSync(apt, options, { stdio: ['ignore', 'ignore', 'inherit'], env })
    run('update', '-qq')
    for (const name of missing) run('install', '-y', '-qq', '--no-install-recommends', name)
    // Distributions without the headless shell package have the full browser.
    if (!findBrowser()) run('install', '-y', '-qq', '--no-install-recommends', 'chromium')
  }
  if (!findBrowser())
    fail(
      'The tests need Chromium or Chrome with H.264. Install one of them (Debian, Ubuntu: sudo apt-get install chromium; macOS: Google Chrome), or set the path: CHROMIUM=/path/to/chrome npm test',
    )
  if (!findOnPath('ffmpeg'))
    fail(
      'The tests with real cameras need ffmpeg. Install it (Debian, Ubuntu: sudo apt-get install ffmpeg; macOS: brew install ffmpeg).',
    )
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
