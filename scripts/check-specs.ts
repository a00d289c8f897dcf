/** Habits of the tests that a reader cannot see from a green run: no sleeps, no conditional checks, no mocks of our servers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const RULES: readonly [RegExp, string][] = [
  [/waitForTimeout\(/, 'waits for a fixed time'],
  [/networkidle/, 'waits for a quiet network'],
  [/\b(?:it|test|describe)\.(?:only|skip|todo)\b/, 'is focused or skipped'],
  [/expect\(true\)|expect\(1\)\.toBe\(1\)/, 'cannot fail'],
  [/vi\.mock\(/, 'mocks a module of ours'],
  [/page\.route\([^)]*fulfill/, 'answers in place of our servers'],
]

const problems = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test|spec)\.tsx?$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(join(root, 'tests', name), 'utf8')
    return RULES.filter(([pattern]) => pattern.test(text)).map(([, what]) => `tests/${name} ${what}.`)
  })
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
