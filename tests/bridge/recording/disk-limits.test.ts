import { expect, test } from 'vitest'
import { DISK_FULL, isFull, describeWriteError } from '../../../bridge/recording/disk-limits.ts'

const failed = (code: string) => Object.assign(new Error(`${code}: write`), { code })

test('reports a disk without space and an exhausted quota as full, with the same sentence', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    expect([isFull(failed(code)), describeWriteError(failed(code))]).toEqual([true, DISK_FULL])
})

test('reports any other write error with its own message', () => {
  for (const code of ['EACCES', 'EROFS', 'EIO'])
    expect([isFull(failed(code)), describeWriteError(failed(code))]).toEqual([false, `${code}: write`])
  expect([isFull(undefined), isFull('ENOSPC')]).toEqual([false, false])
})
