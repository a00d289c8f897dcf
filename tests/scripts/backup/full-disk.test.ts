import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { backUp, createTestFolder, digestFolder, PASSPHRASE, ROOT, unpackDataFolder } from '../../support/backups.ts'

let folder: string
let data: string
beforeAll(async () => {
  folder = createTestFolder()
  data = join(folder, 'data')
  mkdirSync(join(folder, 'small'))
  unpackDataFolder(data)
  await backUp(data, join(folder, 'home.backup'))
  writeFileSync(join(folder, 'passphrase'), `${PASSPHRASE}\n`)
})
afterAll(() => rmSync(folder, { recursive: true }))

afterEach(() => {
  spawnSync('umount', ['-l', join(folder, 'small')])
})

/** Mounts a disk of 128 KB at `small`. Returns false if mounting is not permitted. */
const mountSmallDisk = () =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', join(folder, 'small')]).status === 0

function runScript(...args: string[]): string {
  const options = ['--passphrase-file', join(folder, 'passphrase')]
  const { stdout, stderr } = spawnSync(process.execPath, [...args, ...options], { cwd: ROOT, encoding: 'utf8' })
  return stdout + stderr
}

test('a full disk ends a backup with a message, and leaves no file', ({ skip }) => {
  skip(!mountSmallDisk(), 'mounting is not permitted')
  const before = digestFolder(data)
  expect(runScript('scripts/backup.ts', join(folder, 'small', 'x.backup'), '--data', data)).toMatch(
    /^The disk is full \(0 MB are free in the folder of .*No backup was made\./,
  )
  expect(readdirSync(join(folder, 'small'))).toEqual([])
  expect(digestFolder(data)).toBe(before)
})

test('a full disk ends a restore with a message, and leaves no folder', ({ skip }) => {
  skip(!mountSmallDisk(), 'mounting is not permitted')
  const target = join(folder, 'small', 'data')
  expect(runScript('scripts/restore.ts', join(folder, 'home.backup'), '--data', target)).toBe(
    `The disk of ${target} is full. Nothing was changed. Free up space, then try again.\n`,
  )
  expect(readdirSync(join(folder, 'small'))).toEqual([])
})
