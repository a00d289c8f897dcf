import { expect, test } from 'vitest'
import { DISK_FULL_REASON, isDiskFullError, describeWriteError } from '../../../bridge/recording/disk-limits.ts'

const createError = (code: string) => Object.assign(new Error(`${code}: write`), { code })

test('reports a disk without space and an exhausted quota as full, with the same sentence', () => {
  for (const code of ['ENOSPC', 'EDQUOT'])
    expect([isDiskFullError(createError(code)), describeWriteError(createError(code))]).toEqual([
      true,
      DISK_FULL_REASON,
    ])
})

test('reports any other write error with its own message', () => {
  for (const code of ['EACCES', 'EROFS', 'EIO'])
    expect([isDiskFullError(createError(code)), describeWriteError(createError(code))]).toEqual([
      false,
      `${code}: write`,
    ])
  expect([isDiskFullError(undefined), isDiskFullError('ENOSPC')]).toEqual([false, false])
})
