import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LogFile } from '../../../scripts/lib/log-file.ts'

let folder: string
let logPath: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-'))
  logPath = join(folder, 'part.log')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a log that cannot be written loses lines, reports how many, and continues', () => {
  const log = new LogFile(logPath)
  log.write('first')
  rmSync(logPath)
  mkdirSync(logPath)
  log.write('second')
  log.write('third')
  rmdirSync(logPath)
  log.write('fourth')
  log.write('fifth')
  expect(readFileSync(logPath, 'utf8')).toBe('2 lines are missing here because of a write error.\nfourth\nfifth\n')
})

test('a full log restarts, keeps the previous file, and is readable only by its owner', () => {
  const log = new LogFile(logPath, 12)
  for (const line of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) log.write(line)
  expect(readFileSync(`${logPath}.1`, 'utf8')).toBe('four\nfive\nsix\n')
  expect(readFileSync(logPath, 'utf8')).toBe('seven\n')
  expect(statSync(logPath).mode & 0o777).toBe(0o600)
})

test('a log continues with the size of its existing file', () => {
  new LogFile(logPath, 12).write('a long first line')
  new LogFile(logPath, 12).write('second')
  expect(readFileSync(logPath, 'utf8')).toBe('second\n')
})
