import { expect, test } from 'vitest'
import { GIGABYTE } from '../../../../contract/cameras/storage-calls.ts'
import { explainMissingSpace } from '../../../../scripts/lib/backup/restore-space.ts'

/** `free` and `total` of the disk, size of the backup and of its recordings, GB. */
const explain = (
  [free, total, size, recordings]: readonly [number, number, number, number],
  environment: Record<string, string> = {},
) =>
  explainMissingSpace(
    { free_bytes: free * GIGABYTE, total_bytes: total * GIGABYTE },
    { bytes: size * GIGABYTE, recordingBytes: recordings * GIGABYTE },
    '/data',
    environment,
  )

test.each([
  ['a backup that leaves the reserve of 10 GB free', [31, 100, 20, 19]],
  ['a backup without recordings, because nothing can be deleted', [5, 100, 4, 0]],
  ['recordings of 2 GB, which a full disk never deletes', [5, 100, 4, 2]],
] as const)('%s fits', (_name, sizes) => {
  expect(explain(sizes)).toBeNull()
})

test('a backup that is larger than the free space is refused', () => {
  expect(explain([3, 100, 4, 0])).toBe('The disk of /data is full. Nothing was changed. Free up space, then try again.')
})

test.each([
  [[29, 100, 20, 19], '1.0 GB'],
  [[219, 2000, 20, 19], '1.0 GB'],
] as const)('recordings that would be deleted at the next start are refused: %s', (sizes, missing) => {
  const reason = explain(sizes) ?? ''
  expect(reason).toContain(`Free up ${missing}, then try again.`)
  expect(reason).toContain('Nothing was changed.')
})

test('a limit of the operator replaces the reserve', () => {
  for (const MEDIA_CAP_BYTES of ['0', '50000000000']) expect(explain([21, 100, 20, 19], { MEDIA_CAP_BYTES })).toBeNull()
  expect(explain([21, 100, 20, 19], { MEDIA_CAP_BYTES: '' })).not.toBeNull()
})
