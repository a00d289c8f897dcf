import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatUnit, getServiceUser, getUnitFolder, requireSystemd } from '../../scripts/lib/service-unit.ts'

const root = new URL('../..', import.meta.url).pathname
const home = mkdtempSync(join(tmpdir(), 'porchlight-service-'))
const unitPath = join(home, '.config/systemd/user/porchlight.service')
/** A folder whose name needs all of systemd's escapes. */
const folder = join(home, 'my 100% "$HOME" \\ folder')
beforeEach(() => {
  rmSync(join(home, '.config'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(home, { recursive: true }))

function runService(...args: string[]) {
  const done = spawnSync(process.execPath, [join(root, 'scripts/service.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
  })
  return { code: done.status, output: done.stdout, errorOutput: done.stderr }
}

const readUnit = () => readFileSync(unitPath, 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** Returns what systemd reports about a unit: '' if the unit is valid. */
function verifyUnit(): string {
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unitPath], { encoding: 'utf8' })
  return stderr
}

describe.skipIf(process.platform !== 'linux')('porchlight service on Linux', () => {
  test('install writes a unit and prints what to run next', () => {
    const { code, output, errorOutput } = runService('install', '--port', '9100', '--data', 'data')
    expect([code, errorOutput]).toEqual([0, ''])
    for (const command of ['systemctl --user enable --now porchlight', 'loginctl enable-linger', 'journalctl --user'])
      expect(output).toContain(command)
    const unit = readUnit()
    const escapedFolder = folder.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replace('%', '%%').replace('$', '$$$$')
    expect(/^ExecStart=(.*)$/m.exec(unit)?.[1]).toMatch(
      /^"\/[^"]*node" "\/.*scripts\/porchlight\.mjs" "start" "--data" /,
    )
    expect(unit).toContain(` "--data" "${escapedFolder}/data" "--port" "9100"\n`)
    expect(unit).toMatch(/^WorkingDirectory=\/\S+$/m)
    expect(unit).toMatch(/^KillMode=mixed\n(?:.*\n)*Restart=on-failure$/m)
    expect(unit).not.toContain('User=')
  })

  test.skipIf(!hasSystemd)('systemd accepts the unit', () => {
    runService('install', '--port', '9100', '--data', 'data')
    expect(verifyUnit()).toBe('')
    writeFileSync(unitPath, readUnit().replace('KillMode', 'KilMode'))
    expect(verifyUnit()).toContain("Unknown key 'KilMode'")
  })

  test('the unit runs the program with the same arguments as the command line', () => {
    runService('install', '--data', 'data')
    const unit = readUnit()
    // Decodes the arguments as systemd does: quotes, then specifiers and variables.
    const args = [...(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').matchAll(/"((?:\\.|[^"\\])*)"/g)].map(
      ([, text = '']) => text.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
    )
    const [node = '', file = '', ...rest] = args
    expect(rest).toEqual(['start', '--data', join(folder, 'data')])
    const done = spawnSync(node, [file, ...rest, '--help'], { encoding: 'utf8' })
    expect([done.status, done.stdout]).toEqual([0, expect.stringMatching(/^porchlight start/)])
  })

  test('paths of a certificate become absolute', () => {
    expect(runService('install', '--lan', '--cert', 'hub.pem', '--key=hub.key').code).toBe(0)
    expect(readUnit()).toMatch(/"--lan" "--cert" "\/.*hub\.pem" "--key" "\/.*hub\.key"$/m)
  })

  test('a second installation replaces the unit and says how to use the new settings', () => {
    runService('install')
    expect(runService('install', '--port', '9200').output).toContain('systemctl --user restart porchlight')
    expect(readUnit()).toContain('"9200"')
  })

  test.each([
    [['install', '--port', '80'], /--port 80 isn't valid/],
    [['install', '--camera', 'rtsp://ann:secret@10.0.0.5/'], /--camera can't be part of a service/],
    [['install', '--fresh'], /--fresh can't be part of a service/],
    [['install', 'now'], /now/],
    [['instal'], /Unknown command: instal/],
    [['uninstall'], /doesn't exist, so nothing was deleted/],
    [['uninstall', '--port', '9100'], /Unknown option: --port/],
  ])('%j fails with a message and writes nothing', (args, message) => {
    const { code, output, errorOutput } = runService(...args)
    expect([code, output, errorOutput]).toEqual([1, '', expect.stringMatching(message)])
    expect(errorOutput).not.toContain('    at ')
    expect(existsSync(unitPath)).toBe(false)
  })

  test('uninstall deletes the unit and the link that starts it', () => {
    runService('install')
    const link = join(dirname(unitPath), 'default.target.wants/porchlight.service')
    mkdirSync(dirname(link))
    symlinkSync(unitPath, link)
    const { code, output } = runService('uninstall')
    expect(code).toBe(0)
    expect(output).toContain('systemctl --user stop porchlight')
    expect([unitPath, link].map((path) => existsSync(path))).toEqual([false, false])
  })

  test('a unit with this name that someone else wrote stays unchanged', () => {
    mkdirSync(dirname(unitPath), { recursive: true })
    writeFileSync(unitPath, '[Service]\nExecStart=/bin/true\n')
    for (const command of ['install', 'uninstall'])
      expect(runService(command).errorOutput).toContain("wasn't written by porchlight service")
    expect(readUnit()).toBe('[Service]\nExecStart=/bin/true\n')
  })
})

test('a unit of the system names the user and waits for the network', () => {
  vi.stubEnv('SUDO_USER', 'ann')
  const unit = formatUnit({ command: ['/bin/true'], workingFolder: '/', searchFolders: [], user: getServiceUser() })
  vi.unstubAllEnvs()
  expect(getUnitFolder(true)).toBe('/etc/systemd/system')
  expect(unit).toContain('\nAfter=network-online.target\n')
  expect(unit).toContain('\nUser=ann\n')
  expect(unit).toContain('\nWantedBy=multi-user.target\n')
})

test('macOS gets a message instead of a unit', () => {
  expect(() => requireSystemd('darwin')).toThrow('supports only systemd')
  expect(() => requireSystemd('linux')).not.toThrow()
})
