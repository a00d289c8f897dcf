import { afterEach, describe, expect, test } from 'vitest'
import { checkCamera, type CheckContext } from '../../../bridge/setup/camera-check.ts'
import { chooseStreams } from '../../../bridge/setup/choose-streams.ts'
import { LoginAttempts } from '../../../bridge/setup/login-attempts.ts'
import { isPrivateAddress, resolvePrivateHost } from '../../../bridge/setup/private-address.ts'
import { SEARCHED_PATHS_MAX } from '../../../contract/cameras/camera-brands.ts'
import type { CameraAnswer } from '../../../contract/cameras/camera-setup.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { OnvifCamera, type OnvifOptions } from '../../support/onvif-camera.ts'
import { RtspServer, type RtspServerOptions } from '../../support/rtsp-server.ts'

const LOGIN = { user: 'viewer', password: 'canary/S3cret?' }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

async function startCamera(options: Partial<RtspServerOptions> = {}): Promise<RtspServer> {
  const server = await RtspServer.start({ stream: ACTION_STREAM, ...options })
  cleanups.push(() => server.close())
  return server
}

async function startOnvif(options: OnvifOptions = {}): Promise<OnvifCamera> {
  const onvif = await OnvifCamera.start(options)
  cleanups.push(() => onvif.close())
  return onvif
}

interface CheckInput {
  readonly address: string
  readonly user?: string
  readonly password?: string
  readonly brand?: string
  readonly sub?: string
}

/** Runs a check as the hub does. Without `onvif`, the camera has no ONVIF service. */
async function runCheck(
  input: CheckInput,
  { attempts = new LoginAttempts(), onvif }: { attempts?: LoginAttempts; onvif?: OnvifCamera } = {},
) {
  const answers: CameraAnswer[] = []
  const context: CheckContext = { attempts, findServices: () => (onvif ? [onvif.serviceUrl] : []), onvifPorts: [1] }
  const isGood = await checkCamera({ ask: 'check', user: '', password: '', brand: '', ...input }, context, (answer) =>
    answers.push(answer),
  )
  const findStep = (step: string) => answers.findLast((answer) => answer.answer === 'step' && answer.step === step)
  const streams = answers.findLast((answer) => answer.answer === 'streams')
  return { isGood, answers, findStep, streams }
}

const toHost = (server: RtspServer) => `127.0.0.1:${server.port}`
const toStreamUrl = (server: RtspServer, path: string) => `rtsp://127.0.0.1:${server.port}${path}`
const countLogins = (server: RtspServer) => server.requests.filter((line) => line.includes('with credentials')).length

describe('a check of a host', () => {
  test('finds main stream and sub-stream of a camera without a login', async () => {
    const server = await startCamera({ paths: ['/Preview_01_main', '/Preview_01_sub'] })
    const { isGood, streams, findStep } = await runCheck({ address: toHost(server), brand: 'reolink' })
    expect(isGood).toBe(true)
    expect(streams).toMatchObject({
      main: { address: toStreamUrl(server, '/Preview_01_main'), width: 640, height: 360 },
      sub: { address: toStreamUrl(server, '/Preview_01_sub'), width: 640, height: 360, problem: '' },
      name: '',
      brand: 'reolink',
    })
    expect(findStep('reachable')).toMatchObject({ state: 'done', words: 'On your home network' })
  })

  test('sends the login only to a path that needs it, on one connection', async () => {
    const paths = ['/h264Preview_01_main', '/h264Preview_01_sub']
    const server = await startCamera({ paths, revealsPaths: true, credentials: LOGIN })
    const { isGood, streams } = await runCheck({ address: toHost(server), ...LOGIN, brand: 'reolink' })
    expect(isGood).toBe(true)
    expect(streams).toMatchObject({ main: { address: toStreamUrl(server, paths[0] ?? '') } })
    expect(JSON.stringify(streams)).not.toContain('canary')
  })

  test('continues with the login after a camera has closed the connection', async () => {
    const server = await startCamera({ paths: ['/live'], closesAfterNotFound: true, credentials: LOGIN })
    const { streams } = await runCheck({ address: toHost(server), ...LOGIN })
    expect(streams).toMatchObject({ main: { address: toStreamUrl(server, '/live') }, sub: null })
  })

  test('tries at most five main streams, those of the brand first', async () => {
    const server = await startCamera({ paths: [] })
    const { isGood, findStep } = await runCheck({ address: toHost(server), ...LOGIN, brand: 'foscam' })
    expect(isGood).toBe(false)
    expect(server.describedUrls[0]).toBe(toStreamUrl(server, '/videoMain'))
    expect(server.describedUrls).toHaveLength(SEARCHED_PATHS_MAX)
    expect(countLogins(server)).toBe(0)
    expect(findStep('picture')).toMatchObject({ state: 'failed', words: expect.stringContaining('rtsp://') })
  })

  test('stops at the first refusal of the login', async () => {
    const server = await startCamera({ credentials: { ...LOGIN, password: 'right' } })
    const { findStep, streams } = await runCheck({ address: toHost(server), ...LOGIN })
    expect(findStep('signed_in')).toMatchObject({ state: 'failed', words: expect.stringContaining('this login') })
    expect(findStep('picture')).toBeUndefined()
    expect(streams).toBeUndefined()
    expect(countLogins(server)).toBe(1)
  })

  test('asks for a login instead of guessing one', async () => {
    const server = await startCamera({ credentials: LOGIN })
    const { findStep } = await runCheck({ address: toHost(server) })
    expect(findStep('signed_in')).toMatchObject({ state: 'failed', words: expect.stringContaining('username') })
  })

  test('reports a closed port', async () => {
    const server = await startCamera()
    await server.close()
    const { findStep } = await runCheck({ address: toHost(server) })
    expect(findStep('reachable')).toMatchObject({ state: 'failed', words: expect.stringContaining('closed') })
  })
})

describe('a check of a host with ONVIF', () => {
  /** Camera with a path that only ONVIF tells. */
  async function startOnvifCamera(options: OnvifOptions = {}) {
    const paths = ['/secret-main', '/secret-sub']
    const server = await startCamera({ paths, credentials: LOGIN })
    const toUri = (path: string) => `rtsp://10.9.9.9:${server.port}${path}`
    const streams = [
      { token: 'jpeg', width: 3840, encoding: 'JPEG', uri: toUri('/jpeg') },
      { token: 'main', width: 2560, encoding: 'H264', uri: toUri(paths[0] ?? '') },
      { token: 'sub', width: 640, encoding: 'H264', uri: toUri(paths[1] ?? '') },
    ]
    const user = { name: LOGIN.user, password: LOGIN.password }
    return { server, onvif: await startOnvif({ user, streams, ...options }) }
  }

  test.each([
    ['WS-Security', {}],
    ['HTTP Digest', { httpAuthentication: 'Digest' as const }],
  ])('takes streams and name from the camera with the typed login: %s', async (_name, options) => {
    const { server, onvif } = await startOnvifCamera(options)
    const { isGood, streams } = await runCheck({ address: toHost(server), ...LOGIN }, { onvif })
    expect(isGood).toBe(true)
    expect(streams).toMatchObject({
      main: { address: toStreamUrl(server, '/secret-main'), width: 640, height: 360 },
      sub: { address: toStreamUrl(server, '/secret-sub'), width: 640 },
      name: 'Back yard',
      brand: 'reolink',
    })
    expect([...onvif.requests, ...onvif.authorizations].join()).not.toContain(LOGIN.password)
  })

  test('lists all channels of a recorder in their order', async () => {
    const { server } = await startOnvifCamera()
    const toStream = (source: string, path: string, width: number) =>
      ({ token: path, source, width, encoding: 'H264', uri: toStreamUrl(server, path) }) as const
    const streams = [toStream('ch10', '/10', 1280), toStream('ch2', '/secret-main', 2560), toStream('ch2', '/2s', 640)]
    const recorder = await startOnvif({ streams })
    const { streams: found } = await runCheck({ address: toHost(server), ...LOGIN }, { onvif: recorder })
    expect(found?.channels?.map(({ main }) => main)).toEqual(
      ['/secret-main', '/10'].map((path) => toStreamUrl(server, path)),
    )
    expect(found?.channels?.map(({ sub }) => sub)).toEqual([toStreamUrl(server, '/2s'), ''])
  })

  test('sends nothing by RTSP after ONVIF has refused the login, and sends it once', async () => {
    const wrong = { ...LOGIN, password: 'wrong' }
    for (const httpAuthentication of [undefined, 'Digest'] as const) {
      const { server, onvif } = await startOnvifCamera(httpAuthentication ? { httpAuthentication } : {})
      const { findStep } = await runCheck({ address: toHost(server), ...wrong }, { onvif })
      expect(findStep('signed_in')).toMatchObject({ state: 'failed', words: expect.stringContaining('ONVIF users') })
      const withLogin = onvif.requests.filter((xml, i) => xml.includes('Username') || onvif.authorizations[i] !== '')
      expect(withLogin).toHaveLength(1)
      expect(countLogins(server)).toBe(0)
    }
  })

  test('never sends HTTP Basic', async () => {
    const { server, onvif } = await startOnvifCamera({ httpAuthentication: 'Basic' })
    await runCheck({ address: toHost(server), ...LOGIN }, { onvif })
    expect(onvif.requests.length).toBeGreaterThan(1)
    expect(onvif.authorizations.filter((value) => value !== '')).toEqual([])
    expect(onvif.requests.join()).not.toContain(LOGIN.password)
  })
})

describe('a check of a complete address', () => {
  test('tries exactly that address', async () => {
    const server = await startCamera({ paths: ['/live'] })
    const { findStep } = await runCheck({ address: toStreamUrl(server, '/wrong'), brand: 'reolink' })
    expect(findStep('picture')).toMatchObject({ state: 'failed' })
    expect(new Set(server.describedUrls)).toEqual(new Set([toStreamUrl(server, '/wrong')]))
  })

  test('tries a typed sub-stream after the main stream', async () => {
    const server = await startCamera({ paths: ['/a', '/b'], credentials: LOGIN })
    const main = { address: toStreamUrl(server, '/a'), ...LOGIN }
    expect((await runCheck({ ...main, sub: toStreamUrl(server, '/b') })).streams).toMatchObject({
      main: { width: 640, height: 360 },
      sub: { address: toStreamUrl(server, '/b'), width: 640, problem: '' },
    })
    expect((await runCheck({ ...main, sub: toStreamUrl(server, '/c') })).streams).toMatchObject({
      sub: { address: toStreamUrl(server, '/c'), problem: 'No stream at this path.' },
    })
  })

  test('gives pages of an earlier version no streams', async () => {
    const server = await startCamera()
    const answers: CameraAnswer[] = []
    const context = { attempts: new LoginAttempts(), findServices: () => [] }
    await checkCamera({ ask: 'check', address: server.url(), user: '', password: '' }, context, (answer) =>
      answers.push(answer),
    )
    expect(answers.some(({ answer }) => answer === 'streams')).toBe(false)
  })
})

describe('attempts with a login', () => {
  test('stop after three refusals in a minute, on all cards of a host', async () => {
    let now = 0
    const attempts = new LoginAttempts(() => now)
    const servers = [await startCamera({ credentials: LOGIN }), await startCamera({ credentials: LOGIN })]
    const tryWrongLogin = (server: RtspServer | undefined, address: string) =>
      runCheck({ address, user: LOGIN.user, password: `wrong ${server?.requests.length}` }, { attempts })
    await tryWrongLogin(servers[0], toHost(servers[0]!))
    await tryWrongLogin(servers[1], servers[1]!.url())
    await tryWrongLogin(servers[1], `localhost:${servers[1]!.port}`)
    const sent = servers.map(countLogins)
    now = 20_000
    await expect(tryWrongLogin(servers[0], toHost(servers[0]!))).rejects.toThrow('Wait 40 seconds')
    await expect(tryWrongLogin(servers[1], servers[1]!.url())).rejects.toThrow('Wait 40 seconds')
    expect(servers.map(countLogins)).toEqual(sent)
    now = 60_001
    await tryWrongLogin(servers[0], toHost(servers[0]!))
    expect(countLogins(servers[0]!)).toBe((sent[0] ?? 0) + 1)
  })

  test('do not count after the camera has accepted the login', async () => {
    const attempts = new LoginAttempts(() => 0)
    const server = await startCamera({ credentials: LOGIN })
    for (let i = 0; i < 4; i++)
      expect((await runCheck({ address: server.url(), ...LOGIN }, { attempts })).isGood).toBe(true)
  })
})

describe('the search', () => {
  test('contacts only private and loopback addresses', async () => {
    const inside = [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.20',
      '127.0.0.1',
      '::1',
      'fd00::1',
      '::ffff:10.0.0.1',
    ]
    const outside = [
      '8.8.8.8',
      '172.32.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
      '2001:db8::1',
      'fe80::1',
      '::ffff:8.8.8.8',
      '::',
      'name',
    ]
    expect(inside.filter((address) => !isPrivateAddress(address))).toEqual([])
    expect(outside.filter(isPrivateAddress)).toEqual([])
    expect(await resolvePrivateHost('[::1]')).toEqual({ address: '::1' })
    const { findStep, answers } = await runCheck({ address: '203.0.113.9', ...LOGIN })
    expect(findStep('reachable')).toMatchObject({
      state: 'failed',
      words: expect.stringContaining('only your home network'),
    })
    expect(answers).toHaveLength(2)
  })
})

describe('the choice of streams', () => {
  const createStream = (encoding: string, width: number, source = 'a') =>
    ({ encoding, width, source, uri: `rtsp://c/${encoding}${width}${source}`, height: 0, fps: 0 }) as const
  const choose = (...streams: ReturnType<typeof createStream>[]) => {
    const chosen = chooseStreams(streams.toSorted((a, b) => b.width - a.width))
    return chosen && [chosen.main.uri.slice(9), chosen.sub?.uri.slice(9)]
  }

  test('prefers sharp H.264, keeps to one lens and avoids a tiny sub-stream', () => {
    expect(choose(createStream('H264', 2560), createStream('H264', 640), createStream('H264', 160))).toEqual([
      'H2642560a',
      'H264640a',
    ])
    expect(choose(createStream('H265', 3840), createStream('H264', 2560), createStream('H264', 640))).toEqual([
      'H2642560a',
      'H264640a',
    ])
    expect(choose(createStream('H265', 3840), createStream('H264', 640))).toEqual(['H2653840a', 'H264640a'])
    expect(choose(createStream('H264', 1920), createStream('H264', 640, 'b'))).toEqual(['H2641920a', undefined])
    expect(choose()).toBeUndefined()
  })
})
