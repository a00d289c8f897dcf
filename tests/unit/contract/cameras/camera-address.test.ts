import { expect, test } from 'vitest'
import { parseCameraAddress } from '../../../../contract/cameras/camera-address.ts'

test.each([
  ['192.168.1.20', '192.168.1.20', null],
  [' 192.168.1.20 ', '192.168.1.20', null],
  ['192.168.1.20:8554', '192.168.1.20', 8554],
  ['192.168.1.20/', '192.168.1.20', null],
  ['front-door.local', 'front-door.local', null],
  ['camera:554', 'camera', 554],
  ['localhost', 'localhost', null],
  ['[fd00::20]:554', '[fd00::20]', 554],
])('a host is an address: %s', (typed, host, port) => {
  expect(parseCameraAddress(typed)).toEqual({ kind: 'host', host, port })
})

test.each([
  ['rtsp://192.168.1.20:554/stream1', 'rtsp://192.168.1.20:554/stream1'],
  ['RTSPS://camera.local/live?a=1', 'RTSPS://camera.local/live?a=1'],
  ['192.168.1.20/stream1', 'rtsp://192.168.1.20/stream1'],
  ['camera/live', 'rtsp://camera/live'],
])('a complete stream is an address: %s', (typed, url) => {
  expect(parseCameraAddress(typed)).toEqual({ kind: 'stream', url })
})

test.each([
  '',
  ' ',
  'hello',
  'front door',
  '192.168.1',
  '192.168.1.256',
  '1.2.3.4.5',
  '192.168.1.20:99999',
  'http://192.168.1.20/',
  'rtsp://',
  'rtsp:///stream1',
  'rtsp://192.168.1.300/a',
  'a..b',
  '-a.b',
  'me@example.com',
  '...',
])('is no address: "%s"', (typed) => {
  expect(parseCameraAddress(typed)).toBeNull()
})
