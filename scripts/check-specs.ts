/**
 * Rejects bad habits in test files that a passing run does not reveal (scripts/lib/test-habits.ts). Rejects skips in
 * files that the list of allowed skips does not name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALLOWED_SKIPS } from './lib/allowed-skips.ts'
import { findBadHabits } from './lib/test-habits.ts'

const root = new URL('..', import.meta.url).pathname
const problems = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test|spec|setup)\.tsx?$/.test(name))
  .map((name) => `tests/${name}`)
  .flatMap((file) => {
    const maySkip = ALLOWED_SKIPS.some((allowed) => allowed.file === file)
    const habits = findBadHabits(file, readFileSync(join(root, file), 'utf8'), maySkip)
    return habits.map(({ line, what: description }) => `${file}:${line} ${description}.`)
  })
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
