import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tools-'))
  writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\necho "apt-get $*" >&2\n')
  chmodSync(join(folder, 'apt-get'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `ensureTools` as on a machine without Chromium and ffmpeg. The fake `apt-get` installs nothing. */
function ensureTools(options: string, more: NodeJS.ProcessEnv = {}): { status: number | null; lines: string[] } {
  const script = `import('./scripts/tools.mjs').then(({ ensureTools }) => ensureTools(${options}))`
  const done = spawnSync('/bin/sh', ['-c', '"$0" -e "$1" 2>&1', process.execPath, script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: folder, ...more },
  })
  return { status: done.status, lines: done.stdout.trim().split('\n') }
}

const MISSING_TOOL_LINES = [
  'Missing system packages:',
  expect.stringMatching(/^ {2}chromium-headless-shell: .*H\.264/),
  expect.stringMatching(/^ {2}ffmpeg: .*cameras/),
]

describe('missing programs that the tests need', () => {
  test('are listed with their reason before they are installed', () => {
    const { status, lines } = ensureTools('{ root: true }')
    expect(lines.slice(0, 9)).toEqual([
      ...MISSING_TOOL_LINES,
      expect.stringMatching(
        /^Installing chromium-headless-shell and ffmpeg with .*apt-get\. To only list missing packages, run npm test -- --no-install\.$/,
      ),
      expect.stringMatching(/^apt-get update/),
      expect.stringMatching(/^apt-get install -y .*chromium-headless-shell$/),
      expect.stringMatching(/^apt-get install -y .*ffmpeg$/),
      // The fake apt-get installed no browser, so the script tries the full Chromium. Some distributions offer only
      // that package.
      expect.stringMatching(/^apt-get install -y .*chromium$/),
      expect.stringMatching(/^The tests need Chromium or Chrome with H\.264\. Install one of them/),
    ])
    expect(status).toBe(1)
  })

  test('are only listed with --no-install', () => {
    const { status, lines } = ensureTools('{ root: true, install: false }')
    expect(lines).toEqual([
      ...MISSING_TOOL_LINES,
      'Nothing was installed. Install chromium-headless-shell and ffmpeg, or run the command again without --no-install.',
    ])
    expect(status).toBe(1)
  })

  test('are not installed for a user without permission', () => {
    const { status, lines } = ensureTools('{ root: false }')
    expect(lines.slice(0, 3)).toEqual(MISSING_TOOL_LINES)
    expect(lines[3]).toMatch(/Debian, Ubuntu: sudo apt-get install chromium/)
    expect(status).toBe(1)
  })
})

describe('machine with an installed browser', () => {
  const listToolFiles = () => ['chromium', 'ffmpeg'].map((name) => join(folder, name))
  beforeAll(() => listToolFiles().forEach((file) => writeFileSync(file, '')))
  afterAll(() => listToolFiles().forEach((file) => rmSync(file)))

  test('a personal machine gets nothing installed', () => {
    expect(ensureTools('{ root: true }')).toEqual({ status: 0, lines: [''] })
  })

  test('a build machine gets the lighter browser, or continues without it if unavailable', () => {
    const { status, lines } = ensureTools('{ root: true }', { CI: 'true' })
    expect(lines).toContainEqual(expect.stringMatching(/^apt-get install -y .*chromium-headless-shell$/))
    expect(lines.join()).not.toContain('ffmpeg')
    expect(status).toBe(0)
    expect(ensureTools('{ root: true }', { CI: 'true', CHROMIUM: '/opt/chrome' }).lines).toEqual([''])
    expect(ensureTools('{ root: true, install: false }', { CI: 'true' })).toEqual({ status: 0, lines: [''] })
  })
})

describe('npm start', () => {
  /** Calls `ensureInstalled` as on `platform`, in a copy of the project without packages. */
  function installOn(platform: NodeJS.Platform): { status: number | null; lines: string[] } {
    const project = mkdtempSync(join(tmpdir(), 'install-'))
    cpSync(join(root, 'scripts/install.mjs'), join(project, 'scripts/install.mjs'))
    writeFileSync(join(project, 'package-lock.json'), '{}')
    const script = `import('./scripts/install.mjs').then(({ ensureInstalled }) => ensureInstalled('${platform}'))`
    const done = spawnSync('/bin/sh', ['-c', '"$0" -e "$1" 2>&1', process.execPath, script], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: join(project, 'no-programs') },
    })
    rmSync(project, { recursive: true })
    return { status: done.status, lines: done.stdout.trim().split('\n') }
  }

  test('stops on Windows before it installs anything, and names WSL 2', () => {
    expect(installOn('win32')).toEqual({
      status: 1,
      lines: [
        'Porchlight runs on Linux and macOS. On Windows, install WSL 2 (run "wsl --install"), then run Porchlight in its Linux terminal.',
      ],
    })
  })

  test.each(['linux', 'darwin'] as const)('on %s, reports a missing npm instead of a network problem', (platform) => {
    expect(installOn(platform)).toEqual({
      status: 1,
      lines: [
        'Installing packages…',
        "npm didn't start (ENOENT). Install Node with npm from nodejs.org, then try again.",
      ],
    })
  })
})

test('FIREFOX names the browser of npm run firefox; the default is the first one installed', () => {
  const findFirefox = (env: NodeJS.ProcessEnv) =>
    spawnSync(
      process.execPath,
      ['-p', "import('./scripts/tools.mjs').then((all) => console.log(all.findFirefox())), ''"],
      {
        cwd: root,
        encoding: 'utf8',
        env,
      },
    ).stdout.trim()
  expect(findFirefox({ PATH: folder })).toBe('undefined')
  writeFileSync(join(folder, 'firefox'), '')
  expect(findFirefox({ PATH: folder })).toBe(join(folder, 'firefox'))
  writeFileSync(join(folder, 'firefox-esr'), '')
  expect(findFirefox({ PATH: folder })).toBe(join(folder, 'firefox-esr'))
  expect(findFirefox({ PATH: folder, FIREFOX: '/opt/firefox' })).toBe('/opt/firefox')
})

test('npm run webkit needs the WebKit driver, which WEBKIT can name, and a virtual screen', () => {
  const programs = mkdtempSync(join(tmpdir(), 'webkit-'))
  const findWebKit = (env: NodeJS.ProcessEnv) => {
    const script =
      "import('./scripts/tools.mjs').then((all) => console.log(JSON.stringify(all.findWebKit() ?? null))), ''"
    return JSON.parse(
      spawnSync(process.execPath, ['-p', script], { cwd: root, encoding: 'utf8', env }).stdout,
    ) as unknown
  }
  const [driver, screen] = ['WebKitWebDriver', 'Xvfb'].map((name) => join(programs, name)) as [string, string]
  writeFileSync(driver, '')
  expect(findWebKit({ PATH: programs })).toBeNull()
  writeFileSync(screen, '')
  expect(findWebKit({ PATH: programs })).toEqual({ driver, screen })
  expect(findWebKit({ PATH: programs, WEBKIT: '/opt/driver' })).toEqual({ driver: '/opt/driver', screen })
  rmSync(programs, { recursive: true })
})
