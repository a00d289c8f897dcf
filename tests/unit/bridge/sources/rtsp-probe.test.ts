import { expect, test } from 'vitest'
import { formatProbeFailure } from '../../../../bridge/sources/rtsp-probe.ts'

test('a camera that fails on port 554 is not told to use port 554', () => {
  for (const failure of ['foreign', 'mute', 'hangs up'] as const) {
    expect(formatProbeFailure(failure, new URL('rtsp://192.168.1.40'))).not.toContain('usually 554')
    expect(formatProbeFailure(failure, new URL('rtsp://192.168.1.40:8554'))).toContain('The RTSP port is usually 554.')
  }
  expect(formatProbeFailure('foreign', new URL('rtsp://192.168.1.40'))).toBe(
    "192.168.1.40 responds on port 554, but not with RTSP. Check that this is the camera's address and that RTSP is on.",
  )
})
