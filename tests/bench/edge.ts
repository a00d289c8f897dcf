import { parseEnv } from 'node:util'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHomes } from '../../contract/cameras/devices.ts'
import { SIGNED_IN_COOKIE } from '../../contract/wire/constants.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider } from '../support/provider.ts'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const ROUNDS = 150

/**
 * Measures the median time that the edge adds to a call for session lookup, checks and signing. Each round computes
 * `gateway` - `direct` - (`edgePlain` - `providerPlain`). It sends these four requests in turn, so that all have the
 * same load.
 */
export async function measureEdgeOverhead(system: System, dataFolder: string): Promise<Figure[]> {
  const env = parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const { access_token: token } = await signInAtProvider(env)
  const headers = {
    cookie: await fetchSessionCookies(system.origin),
    origin: system.origin,
    'sec-fetch-site': 'same-origin',
  }
  const requests = {
    gateway: () => fetch(`${system.origin}/api/p/${getHomes.group}${getHomes.path}`, { headers }),
    direct: () => sendCallAsEdge(env, getHomes, token, { payload: { nonce: createNonceAt() } }),
    edgePlain: () => fetch(`${system.origin}/healthz`),
    providerPlain: () => fetch(`${env.PROVIDER_ORIGIN}/healthz`),
  }
  const times: Record<keyof typeof requests, number[]> = { gateway: [], direct: [], edgePlain: [], providerPlain: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, ask] of Object.entries(requests) as [keyof typeof requests, () => Promise<Response>][]) {
      const started = performance.now()
      const answer = await ask()
      await answer.text()
      times[name].push(performance.now() - started)
      if (!answer.ok) throw new Error(`${name} returned ${answer.status}.`)
    }
  }
  const overheads = times.gateway.map((gateway, at) => {
    const [direct = 0, edgePlain = 0, providerPlain = 0] = [
      times.direct[at],
      times.edgePlain[at],
      times.providerPlain[at],
    ]
    return gateway - direct - (edgePlain - providerPlain)
  })
  return [
    {
      label: 'edge: overhead of a forwarded call (session lookup, checks, signing), p50',
      value: median(overheads),
      unit: 'ms',
      goal: 1.2,
      bound: 'max',
    },
  ]
}

async function fetchSessionCookies(origin: string): Promise<string> {
  const browser = await openBrowser()
  try {
    const { context } = await openSignedInPage(browser, origin, '/events')
    const cookies = await context.cookies(origin)
    if (!cookies.some(({ name }) => name === SIGNED_IN_COOKIE)) throw new Error('The benchmark could not sign in.')
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  } finally {
    await browser.close()
  }
}
