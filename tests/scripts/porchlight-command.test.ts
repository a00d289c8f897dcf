import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const program = join(root, 'scripts/porchlight.mjs')
let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'porchlight-command-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `porchlight` in an empty folder. */
async function runPorchlight(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder })
  child.stdin.end(input)
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output, errorOutput }
}

const listCommands = (help: string) => [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)

describe('porchlight', () => {
  test('lists its commands on one screen, and each command has its own help', async () => {
    const { code, output } = await runPorchlight(['--help'])
    expect(code).toBe(0)
    const lines = output.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const commands = listCommands(output)
    expect(commands).toEqual(
      expect.arrayContaining([
        'start',
        'camera',
        'account',
        'backup',
        'restore',
        'reconcile',
        'insights',
        'doctor',
        'service',
      ]),
    )
    const results = await Promise.all(commands.map((name) => runPorchlight([name, '--help'])))
    expect(
      results.map(({ code: status, output: [...help], errorOutput }) => [status, help.length > 0, errorOutput]),
    ).toEqual(commands.map(() => [0, true, '']))
    expect(results.map(({ output: help }) => help.split(' ', 2).join(' '))).toEqual(
      commands.map((name) => `porchlight ${name}`),
    )
    expect((await runPorchlight([])).output).toBe(output)
  })

  test('runs without packages until a command needs them', () => {
    const clone = join(folder, 'clone')
    for (const file of ['package.json', 'scripts/porchlight.mjs', 'scripts/launch.mjs', 'scripts/install.mjs'])
      cpSync(join(root, file), join(clone, file))
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(join(clone, 'scripts/porchlight.mjs'), args, { encoding: 'utf8' })
      return [status, stdout + stderr]
    }
    expect(run('--version')).toEqual([0, '0.1.0\n'])
    expect(run('--help')).toEqual([0, expect.stringContaining('porchlight COMMAND')])
    expect(run('strat')[0]).toBe(2)
  })

  test.each([
    ['strat', 'Unknown command: strat. Did you mean start?\n'],
    ['cam', 'Unknown command: cam. Did you mean camera?\n'],
    ['accounts', 'Unknown command: accounts. Did you mean account?\n'],
    ['constructor', 'Unknown command: constructor.\n'],
    ['--port', 'Unknown command: --port.\n'],
  ])('%s is unknown: exits with 2 and suggests the nearest command', async (name, message) => {
    const { code, output, errorOutput } = await runPorchlight([name])
    expect([code, output, errorOutput]).toEqual([2, '', `${message}To list the commands, run: porchlight --help\n`])
  })

  test('adds, lists, tests and removes cameras of the current folder, without showing passwords', async () => {
    expect((await runPorchlight(['camera', 'list'])).output).toMatch(/^No cameras yet\. .*porchlight camera add/)
    const address = 'rtsp://ann:secret@127.0.0.1:9/stream1'
    const added = await runPorchlight(['camera', 'add', '-', '--name', 'Porch'], `${address}\n`)
    expect(added).toMatchObject({ code: 0, output: expect.stringMatching(/^Saved Porch \(/), errorOutput: '' })
    expect(statSync(join(folder, '.porchlight/cameras.json')).mode & 0o077).toBe(0)
    const { output } = await runPorchlight(['camera', 'list'])
    expect(output).toMatch(/^\S+ {2}Porch {2}rtsp:\/\/.*127\.0\.0\.1:9\/stream1\n$/)
    expect(output).not.toContain('secret')
    expect(await runPorchlight(['doctor'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Porch: no video/),
    })
    expect((await runPorchlight(['camera', 'remove', 'Porch'])).output).toBe('Removed Porch.\n')
    expect((await runPorchlight(['camera', 'remove', 'Porch'])).code).toBe(1)
    expect((await runPorchlight(['camera', 'ad'])).errorOutput).toContain('Unknown command: camera ad.')
  })

  test('the npm scripts run the same commands and name themselves in the help', () => {
    const done = spawnSync('npm', ['run', '--silent', 'account', '--', '--help'], { cwd: root, encoding: 'utf8' })
    expect(done.stdout).toMatch(/^npm run account -- COMMAND/)
    expect(done.status).toBe(0)
  })
})
