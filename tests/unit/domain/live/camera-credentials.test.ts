import { describe, expect, test } from 'vitest'
import { extractHost, splitCredentials } from '../../../../src/domain/live/camera-credentials.ts'

describe('pasted camera address', () => {
  test.each([
    ['rtsp://me:secret@10.0.0.9:554/s1', { address: 'rtsp://10.0.0.9:554/s1', user: 'me', password: 'secret' }],
    ['rtsp://me:p%40ss:w@cam/s', { address: 'rtsp://cam/s', user: 'me', password: 'p@ss:w' }],
    ['rtsps://me@[fe80::1]/s', { address: 'rtsps://[fe80::1]/s', user: 'me', password: '' }],
    ['rtsp://me:50%@cam/s', { address: 'rtsp://cam/s', user: 'me', password: '50%' }],
    ['rtsp://me:a@b@cam/s', { address: 'rtsp://cam/s', user: 'me', password: 'a@b' }],
  ])('%s is split into address, user and password', (address, parts) =>
    expect(splitCredentials(address)).toEqual(parts),
  )

  test.each(['rtsp://10.0.0.9/s1', 'rtsp://10.0.0.9/a@b', 'http://me:x@cam/', '', 'rtsp://'])(
    '%j is left unchanged',
    (address) => expect(splitCredentials(address)).toBeNull(),
  )
})

test.each([
  ['rtsp://10.0.0.9:554/s1', '10.0.0.9'],
  ['rtsp://me:pw@cam.local/s', 'cam.local'],
  ['rtsp://[fe80::1]:554/s', '[fe80::1]'],
  ['cam', 'cam'],
  ['rtsp://me:secret@', ''],
  ['rtsp://me:secret@/s1', '/s1'],
])('the host shown for %s is %s', (address, host) => expect(extractHost(address)).toBe(host))
