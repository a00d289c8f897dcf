import { describe, expect, test } from 'vitest'
import { parseBridgeArguments } from '../../../../bridge/runtime/command-line.ts'

describe('bridge command line', () => {
  const parse = (line: string) => parseBridgeArguments(line.split(' ').filter(Boolean))

  test.each([
    ['an unknown command', 'rename --data d', 'Unknown command: rename.'],
    ['an unknown command with an argument', 'rename door --data d', 'Unknown command: rename.'],
    ['no data folder', 'add-camera rtsp://10.0.0.5/', '--data is missing.'],
    ['no code', 'enroll --data d', 'The code is missing.'],
    ['no camera', 'remove-camera --data d', 'The camera address or name is missing.'],
    ['an unknown camera command', 'camera rename', 'Unknown command: camera rename.'],
    ['a camera command named after a property', 'camera constructor', 'Unknown command: camera constructor.'],
    ['no camera to add', 'camera add', 'The camera address or name is missing.\nporchlight camera COMMAND'],
    ['a provider that is no URL', 'enroll ABCD --data d --provider door', '--provider must be a URL'],
    ['an unknown conversion', 'add-camera rtsp://10.0.0.5/ --data d --h265 vp9', '--h265 must be transcode or refuse.'],
    ['too many virtual cameras', 'run --data d --virtual 65', '--virtual must be a number from 0 to 64.'],
    [
      'a size with a fraction',
      'run --data d --provider http://127.0.0.1:1 --queue-mb 1.5',
      '--queue-mb must be a whole',
    ],
  ])('rejects %s with its own message', (_title, line, message) => {
    expect(() => parse(line)).toThrow(message)
  })

  test.each([
    ['remove-camera Door --data d', { command: 'remove-camera', data: 'd', which: 'Door' }],
    [
      'add-camera rtsp://10.0.0.5/ --data d --name Door',
      { command: 'add-camera', url: 'rtsp://10.0.0.5/', name: 'Door' },
    ],
    [
      'camera add rtsp://10.0.0.5/ --name Door',
      { command: 'add-camera', url: 'rtsp://10.0.0.5/', name: 'Door', data: '.porchlight' },
    ],
    ['camera list --data d', { command: 'list-cameras', data: 'd' }],
    ['camera remove Door', { command: 'remove-camera', which: 'Door', data: '.porchlight' }],
    ['camera', { command: 'help', text: expect.stringMatching(/^porchlight camera/) }],
    ['camera add --help', { command: 'help', text: expect.stringMatching(/^porchlight camera/) }],
    ['doctor -h', { command: 'help', text: expect.stringMatching(/^porchlight doctor/) }],
    ['--help', { command: 'help', text: expect.stringMatching(/^usage/) }],
    ['doctor', { command: 'doctor', url: undefined, data: '.porchlight' }],
    ['doctor rtsp://10.0.0.5/', { command: 'doctor', url: 'rtsp://10.0.0.5/', data: undefined }],
    ['discover -', { command: 'discover', asksForUser: true }],
    ['enroll ABCD --data d --provider http://127.0.0.1:8788 --name A', { command: 'enroll', code: 'ABCD', name: 'A' }],
    ['enrol ABCD --data d --provider http://127.0.0.1:8788 --name A', { command: 'enroll', code: 'ABCD', name: 'A' }],
    ['run --data d --provider http://127.0.0.1:8788/x', { options: { provider: 'http://127.0.0.1:8788' } }],
  ])('reads %s', (line, expected) => {
    expect(parse(line)).toMatchObject(expected)
  })
})
