import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ANALYTICS_API_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { experimentFlags, experimentVariants, VARIANTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { AmplitudeExperiments } from '../../../src/services/amplitude-experiments.ts'
import { Experiments } from '../../../src/services/experiments.ts'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { createUuid } from '../../support/measured.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { Visitor } from '../../support/visitor.ts'

const EXPERIMENT = 'short-prices'

let edge: EdgeDeployment
let visitor: Visitor
beforeAll(async () => {
  edge = await openEdge({ EXPERIMENT })
})
beforeEach(() => void (visitor = edge.visitor()))
afterAll(() => edge.close())

describe('the experiment', () => {
  const sendRequest = (path: string, headers: Record<string, string>) =>
    visitor.fetch(path, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  const encodeUser = (user: object) => Buffer.from(JSON.stringify(user)).toString('base64url')
  const fetchVariant = async (user: object) => {
    const headers = { authorization: `Api-Key ${ANALYTICS_API_KEY}`, 'x-amp-exp-user': encodeUser(user) }
    const answer = await sendRequest(experimentVariants.path, headers)
    return ((await answer.json()) as Record<string, { key: string } | undefined>)[EXPERIMENT]?.key
  }

  test.each([
    ['own', Experiments],
    ['amplitude', AmplitudeExperiments],
  ])(
    'EXPERIMENT-02 the client (%s) requests flags and variants with its key, and gets the variant',
    async (_, Client) => {
      const requests: string[] = []
      const client = new Client({
        origin: edge.portalOrigin,
        flag: EXPERIMENT,
        async fetch(url, init) {
          const answer = await fetch(url, init)
          const { pathname } = new URL(url)
          requests.push(
            `${init.method ?? 'GET'} ${pathname} ${new Headers(init.headers).get('authorization')} ${answer.status}`,
          )
          return answer
        },
        reportExposure: () => {},
        isSamePerson: () => false,
        isFirstShown: () => true,
        readVariant: () => null,
        writeVariant: () => {},
      })
      const variant = await client.start({ user_id: 'user_1a', device_id: createUuid(1) })
      expect(variant).toBe(await fetchVariant({ user_id: 'user_1a' }))
      await vi.waitFor(
        () =>
          expect(new Set(requests)).toEqual(
            new Set(
              [experimentFlags, experimentVariants].map(({ path }) => `GET ${path} Api-Key ${ANALYTICS_API_KEY} 200`),
            ),
          ),
        WAIT_OPTIONS,
      )
      client.stop()
    },
  )

  test.each([
    ['CALL-69 vardata', experimentVariants.path],
    ['CALL-70 flags', experimentFlags.path],
  ])('%s is rejected without the key', async (_, path) => {
    for (const authorization of ['', 'Api-Key another', ANALYTICS_API_KEY, `Bearer ${ANALYTICS_API_KEY}`])
      expect((await sendRequest(path, { authorization })).status).toBe(401)
    const answer = await sendRequest(path, { authorization: `Api-Key ${ANALYTICS_API_KEY}` })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  })

  test('CALL-69 gives each variant to about half of the users, always the same, by account before device', async () => {
    const people = Array.from({ length: 200 }, (_, n) => ({ user_id: `user_${n}`, device_id: createUuid(n) }))
    const variants = await Promise.all(people.map(fetchVariant))
    const treatmentCount = variants.filter((variant) => variant === VARIANTS[1]).length
    expect(variants.filter((variant) => variant === VARIANTS[0])).toHaveLength(200 - treatmentCount)
    expect(treatmentCount).toBeGreaterThan(60)
    expect(treatmentCount).toBeLessThan(140)
    const elsewhere = people.map((person) => ({ ...person, device_id: createUuid(9) }))
    expect(await Promise.all(elsewhere.map(fetchVariant))).toEqual(variants)
  })

  test.each([{}, { user_id: 'owner@example.com' }, { user_id: 7 }])('has no variant for %j', async (user) => {
    expect(await fetchVariant(user)).toBeUndefined()
  })
})
