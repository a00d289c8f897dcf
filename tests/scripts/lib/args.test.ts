import { describe, expect, test } from 'vitest'
import { HELP, parseOptions } from '../../../scripts/lib/args.ts'
import { parseCameraList } from '../../../bridge/cameras/parse-camera-list.ts'
import { StopError } from '../../../scripts/lib/stop.ts'

describe('npm start options', () => {
  test('default to port 8787 and the usual folder', () => {
    expect(parseOptions([])).toEqual({
      port: 8787,
      data: '.porchlight',
      fresh: false,
      cameras: [],
      cameraFile: null,
      remove: [],
      virtual: null,
      visits: 'chance',
      lan: null,
    })
  })

  test('--camera can be repeated', () => {
    const options = parseOptions(['--camera', 'rtsp://a/1', '--camera', 'rtsp://b/2'])
    expect(options).toMatchObject({ cameras: ['rtsp://a/1', 'rtsp://b/2'] })
  })

  test.each(['80', '65533', 'abc', '1.5'])('--port %s is rejected with a message', (port) => {
    expect(() => parseOptions(['--port', port])).toThrow(
      new StopError(`--port ${port} isn't valid. Choose a number from 1024 to 65532.`),
    )
  })

  test('--visits none limits virtual cameras to ordered visits, and an unknown value is rejected', () => {
    expect(parseOptions(['--visits', 'none'])).toMatchObject({ visits: 'none' })
    expect(() => parseOptions(['--visits', 'many'])).toThrow(
      new StopError("--visits many isn't valid. Choose chance or none."),
    )
  })

  test('--lan accepts a name or a private address, and a certificate with its key', () => {
    const parseLan = (...args: string[]) => {
      const options = parseOptions(['--lan', ...args])
      return options === 'help' ? options : options.lan
    }
    expect(parseLan()).toEqual({ host: null, certificate: null })
    expect(parseLan('--host', 'Hub.local')).toEqual({ host: 'hub.local', certificate: null })
    expect(parseLan('--host', '192.168.1.10')).toMatchObject({ host: '192.168.1.10' })
    expect(parseLan('--cert', 'a.pem', '--key', 'a.key')).toMatchObject({
      certificate: { cert: 'a.pem', key: 'a.key' },
    })
    expect(() => parseLan('--host', '203.0.113.5')).toThrow(/isn.t an IPv4 address in a local network/)
    // A content security policy cannot name an IPv6 address.
    expect(() => parseLan('--host', 'fd00::a')).toThrow(/isn.t an IPv4 address/)
    expect(() => parseLan('--host', 'https://hub')).toThrow(/isn.t a hostname/)
    expect(() => parseLan('--cert', 'a.pem')).toThrow(/Use --cert and --key together/)
    for (const option of ['--host', '--cert', '--key'])
      expect(() => parseOptions([option, 'x'])).toThrow(`${option} works only together with --lan.`)
  })

  test('an unknown option is rejected with the list of available options', () => {
    expect(() => parseOptions(['--kamera', 'x'])).toThrow(HELP)
  })
})

test('a camera list has an address, an optional sub-stream address and an optional name on each line', () => {
  const list = '# mine\n\nrtsp://u:p@cam/1\n  rtsp://cam/1 rtsp://cam/2  Front   door \nrtsp://cam/3 Porch\n'
  expect(parseCameraList(list)).toEqual([
    { url: 'rtsp://u:p@cam/1' },
    { url: 'rtsp://cam/1', sub: 'rtsp://cam/2', name: 'Front door' },
    { url: 'rtsp://cam/3', name: 'Porch' },
  ])
})
