import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

function runOxlint(...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8' } as const
  return spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--threads=1', ...args], options).stdout
}

const FAULTY_CODE = {
  'no-floating-promises': 'export function run(work: () => Promise<void>) {\n  work()\n}\n',
  'no-misused-promises': 'export const odd = (values: number[]) => values.filter(async (value) => value % 2 === 1)\n',
  'await-thenable': 'export async function read(value: number) {\n  return await value\n}\n',
  'only-throw-error': "export function fail() {\n  throw 'no'\n}\n",
  'switch-exhaustiveness-check':
    "export function name(state: 'on' | 'off') {\n  switch (state) {\n    case 'on':\n      return 1\n  }\n  return 0\n}\n",
}

/** Valid code: the `default` covers the cases that the switch does not name. */
const VALID_SWITCH =
  "export function name(state: 'on' | 'off') {\n  switch (state) {\n    case 'on':\n      return 1\n    default:\n      return 0\n  }\n}\n"

const reportedRules = new Map<string, string[]>()
const folder = mkdtempSync(join(tmpdir(), 'typed-rules-'))

beforeAll(() => {
  for (const [rule, text] of Object.entries({ ...FAULTY_CODE, default: VALID_SWITCH }))
    writeFileSync(join(folder, `${rule}.ts`), text)
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions: { types: [] }, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const output = runOxlint('--config', '.oxlintrc.json', '--format=json', folder)
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }
  for (const { code, filename } of diagnostics) {
    const name = basename(filename, '.ts')
    reportedRules.set(name, [...(reportedRules.get(name) ?? []), code])
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(Object.keys(FAULTY_CODE))('a violation of %s is reported', (rule) => {
  expect(reportedRules.get(rule)).toEqual([`typescript(${rule})`])
})

test('a switch with a default is not reported', () => {
  expect(reportedRules.get('default')).toBeUndefined()
})

test('every TypeScript file is checked, except those that draw scenes', () => {
  const folders = ['bridge', 'contract', 'functions', 'provider', 'scripts', 'src', 'tests']
  const files = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)\./.test(file))
      .map((file) => join(name, file)),
  )
  const checked = new Set(runOxlint('--debug=files').split('\n'))
  expect(files.length).toBeGreaterThan(2000)
  expect(files.filter((file) => !checked.has(file))).toEqual([])
})
