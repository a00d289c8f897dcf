import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = new URL('../../..', import.meta.url).pathname
const START_COUNT = 4
const REPLACEMENT_COUNT = 200

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Script that replaces the same folder `REPLACEMENT_COUNT` times, as each start replaces the build folder. */
const SCRIPT = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  import { replaceFolder } from '${root}scripts/lib/build.ts'
  const [folder, name] = process.argv.slice(1)
  for (let n = 0; n < ${REPLACEMENT_COUNT}; n += 1) {
    const fresh = folder + '/' + name
    mkdirSync(fresh)
    for (const file of ['a', 'b']) writeFileSync(fresh + '/' + file, name)
    replaceFolder(folder + '/target', fresh)
  }
`

test('concurrent starts that build the same folder leave one start’s complete folder', async () => {
  const starts = Array.from({ length: START_COUNT }, (_, n) =>
    spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, folder, `start-${n}`], { stdio: 'pipe' }),
  )
  const ended = await Promise.all(starts.map((start) => once(start, 'close')))
  expect(ended.map(([code]) => code as number)).toEqual(starts.map(() => 0))
  const target = join(folder, 'target')
  expect(readdirSync(target)).toEqual(['a', 'b'])
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe(readFileSync(join(target, 'b'), 'utf8'))
})
