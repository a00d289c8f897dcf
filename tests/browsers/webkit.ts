import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { findWebKit } from '../../scripts/tools.mjs'
import { TIME_ZONE } from '../support/time-zone.ts'
import type { TestedBrowser, Visit } from './journey.ts'
import { waitUntil } from './page-helpers.ts'
import { sendCommand, WebDriverSession } from './webdriver.ts'

const SCREEN_SIZE = '1600x1200x24'
/** The default toolbar of MiniBrowser is wider than a phone. */
const NARROW_TOOLBAR_STYLE = '* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }'

/**
 * Starts WebKitGTK's MiniBrowser on a virtual screen. Throws an error that names the missing packages if there is no
 * WebKit.
 */
export async function openWebKit(): Promise<TestedBrowser> {
  const programs = findWebKit()
  if (!programs)
    throw new Error(
      'There is no WebKit here. Install it (Debian: sudo apt-get install webkit2gtk-driver xvfb gstreamer1.0-libav gstreamer1.0-plugins-good gstreamer1.0-plugins-bad), or name the driver: WEBKIT=/path/to/WebKitWebDriver npm run webkit',
    )
  const home = mkdtempSync(join(tmpdir(), 'porchlight-webkit-'))
  const children: ChildProcess[] = []
  async function close(): Promise<void> {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue
      // The group includes the browser that the driver started.
      process.kill(-child.pid, 'SIGKILL')
      await once(child, 'exit')
    }
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const display = await startScreen(programs.screen, children)
    return await startDriver(programs.driver, createEnvironment(home, display), children, close)
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts a virtual X screen without network access. Returns its display, such as `:1`. */
async function startScreen(program: string, children: ChildProcess[]): Promise<string> {
  const screen = spawn(program, ['-displayfd', '3', '-screen', '0', SCREEN_SIZE, '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  children.push(screen)
  const [text] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer]
  return `:${text.toString().trim()}`
}

/** Environment with a home folder of its own, so that no setting of the user takes effect. */
function createEnvironment(home: string, display: string): NodeJS.ProcessEnv {
  const folders = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR']
  mkdirSync(join(home, 'downloads'))
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(join(home, 'gtk-3.0/gtk.css'), NARROW_TOOLBAR_STYLE)
  writeFileSync(join(home, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${join(home, 'downloads')}"\n`)
  return {
    ...process.env,
    ...Object.fromEntries(folders.map((name) => [name, home])),
    HOME: home,
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    LANG: 'en_US.UTF-8',
    TZ: TIME_ZONE,
  }
}

async function startDriver(
  program: string,
  env: NodeJS.ProcessEnv,
  children: ChildProcess[],
  close: () => Promise<void>,
): Promise<TestedBrowser> {
  const port = await findFreePort()
  const driver = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], {
    detached: true,
    env,
    stdio: 'ignore',
  })
  children.push(driver)
  const driverUrl = `http://127.0.0.1:${port}`
  await waitUntil('The WebKit driver does not respond.', () => sendCommand(driverUrl, 'GET', '/status'))
  const version = await readVersion(driverUrl)
  return {
    version,
    downloads: null,
    openVisit: (_origin, width) => openVisit(driverUrl, width),
    close,
  }
}

interface NewSession {
  readonly sessionId: string
  readonly capabilities: { readonly browserName: string; readonly browserVersion: string }
}

const startSession = async (driverUrl: string) =>
  (await sendCommand(driverUrl, 'POST', '/session', { capabilities: {} })) as NewSession

async function readVersion(driverUrl: string): Promise<string> {
  const { sessionId, capabilities } = await startSession(driverUrl)
  await new WebDriverSession(driverUrl, sessionId).close()
  return `WebKitGTK ${capabilities.browserName} ${capabilities.browserVersion}`
}

/** Opens a session, which has a profile of its own. The driver reports no console errors and no failed requests. */
async function openVisit(driverUrl: string, width: number): Promise<Visit> {
  const session = new WebDriverSession(driverUrl, (await startSession(driverUrl)).sessionId)
  await session.setViewport(width, width < 768 ? 844 : 900)
  return {
    page: session.page,
    problems: [],
    listCookies: () => session.listCookies(),
    saveScreenshot: (path) => session.saveScreenshot(path),
    close: () => session.close(),
  }
}
