import { expect, test } from 'vitest'
import { DISK_FULL, isFull, describeWriteError } from '../../../bridge/recording/disk-limits.ts'

const failed = (code: string) => Object.assign(new Error(`${code}: write`), { code })

test('a disk without room and one whose quota is used up are full, by the same sentence', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    expect([isFull(failed(code)), describeWriteError(failed(code))]).toEqual([true, DISK_FULL])
})

test('any other failure of a write is told by itself', () => {
  for (const code of ['EACCES', 'EROFS', 'EIO'])
    expect([isFull(failed(code)), describeWriteError(failed(code))]).toEqual([false, `${code}: write`])
  expect([isFull(undefined), isFull('ENOSPC')]).toEqual([false, false])
})
