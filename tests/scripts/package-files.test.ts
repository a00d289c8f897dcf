import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { compileScripts } from '../../scripts/lib/package-files.ts'
import { scaleTimeout } from '../support/machine.ts'

const root = new URL('../..', import.meta.url).pathname
const COMMANDS = ['start', 'camera', 'account', 'backup', 'restore', 'reconcile', 'insights', 'doctor', 'service']

describe('the scripts of the package', { timeout: scaleTimeout(60_000) }, () => {
  /** A package without its pages and Workers, which the help of a command does not need. */
  let folder: string
  let imported: readonly string[]

  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder },
    })
    return { code: status, output: stdout + stderr }
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'porchlight-package-'))
    imported = compileScripts(root, join(folder, 'dist/package'))
    for (const file of ['package.json', ...packageJson.files.filter((path) => path.startsWith('scripts/'))])
      cpSync(join(root, file), join(folder, file))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('import exactly the dependencies of package.json', () => {
    expect(imported).toEqual(Object.keys(packageJson.dependencies).sort())
  })

  test.each(COMMANDS)('%s prints the same help as in a clone', (command) => {
    const expected = run(join(root, 'scripts/porchlight.mjs'), command, '--help')
    expect(expected.code).toBe(0)
    expect(run(join(folder, 'scripts/porchlight.mjs'), command, '--help')).toEqual(expected)
  })

  test('contain no TypeScript and no reference to a TypeScript module', () => {
    const files = globSync('**/*.{js,ts}', { cwd: join(folder, 'dist/package') })
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((path) => path.endsWith('.ts'))).toEqual([])
    const texts = files.map((path) => readFileSync(join(folder, 'dist/package', path), 'utf8'))
    expect(texts.filter((text) => /(from|import\() ?'\.[^']*\.ts'/.test(text))).toEqual([])
  })
})
