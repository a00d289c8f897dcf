import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getBridgeSealingKey } from '../../../contract/cameras/camera-setup.ts'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { getSignUpPolicy } from '../../../provider/accounts/invitations/sign-up-policy.ts'
import type { Env } from '../../../provider/env.ts'
import { getRelyingParty } from '../../../provider/identity/passkeys/relying-party.ts'
import { hasOutboxPage } from '../../../provider/notifications/email/email-transport.ts'
import { isLocalDeployment } from '../../../provider/platform/local-deployment.ts'
import { callOperator } from '../../../scripts/lib/operator.ts'
import { makeEnvironment, makeSecrets } from '../../../scripts/lib/secrets.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'

/** Settings of `npm start -- --lan` that depend on the origins (docs/decisions/0097). */
const { PORTAL_ORIGIN, PROVIDER_ORIGIN, PAYMENT_ORIGIN, DEMO, SIGN_UP, HOME_PLAN } = makeEnvironment(makeSecrets(), {
  portalOrigin: 'https://192.168.1.10:8787',
  providerOrigin: 'https://192.168.1.10:8788',
  isLan: true,
  buildId: 'test',
})
const lanSettings = { PORTAL_ORIGIN, PROVIDER_ORIGIN, PAYMENT_ORIGIN, DEMO, SIGN_UP: SIGN_UP ?? '' }

let neighborhood: Neighborhood
/** The operator's calls reach the provider over loopback. */
let operator: { PROVIDER_ORIGIN: string; PROVIDER_INTERNAL_ORIGIN: string; ADMIN_KEY: string }
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const { provider, env } = neighborhood.stage
  await provider.restart({ ...env, ...lanSettings, HOME_PLAN: HOME_PLAN ?? '' })
  operator = { PROVIDER_ORIGIN, PROVIDER_INTERNAL_ORIGIN: provider.origin, ADMIN_KEY: env.ADMIN_KEY }
})
afterAll(() => neighborhood.close())

describe('in a local network', () => {
  test('the outbox page does not exist, even for a request that names the public host', async () => {
    const { origin } = neighborhood.stage.provider
    for (const host of [new URL(origin).host, new URL(PROVIDER_ORIGIN).host])
      expect((await fetch(`${origin}/mail`, { headers: { host } })).status).toBe(404)
    expect(hasOutboxPage({ DEMO: '1', PROVIDER_ORIGIN })).toBe(false)
  })

  test('the test clock does not move', async () => {
    await expect(callOperator(operator, 'POST', ADMIN_PATHS.clock, { by_ms: 1000 })).rejects.toThrow(
      /works only in demo runs/,
    )
  })

  test('demo accounts are not created', async () => {
    await expect(callOperator(operator, 'POST', ADMIN_PATHS.seed)).rejects.toThrow()
  })

  test('OPEN-164 people sign up only by invitation, without a way to send email', () => {
    expect(getSignUpPolicy(lanSettings as unknown as Env)).toBe('invite')
    expect(getSignUpPolicy({ ...lanSettings, SIGN_UP: undefined } as unknown as Env)).toBe('invite')
  })

  test('an address supports no passkeys, and a name does', () => {
    expect(getRelyingParty({ PROVIDER_ORIGIN })).toBeNull()
    expect(getRelyingParty({ PROVIDER_ORIGIN: 'https://hub.local:8788' })).toMatchObject({ id: 'hub.local' })
  })

  test('the hub of this machine is given to no second home without a code', async () => {
    const machine = { key_hash: createHash('sha256').update(randomBytes(32)).digest('hex'), name: 'This computer' }
    await callOperator(operator, 'PUT', `${ADMIN_PATHS.bridges}/machine_bridge`, { ...machine, machine: true })
    const { DB } = (await neighborhood.stage.provider.getWorker().getEnv()) as Env
    await DB.exec("DELETE FROM bridge_homes WHERE home_id = 'home_b'")
    const { body } = await neighborhood.call(neighborhood.b, getBridgeSealingKey, {})
    expect(body.data).toEqual({ state: 'no_bridge' })
    expect(isLocalDeployment({ PORTAL_ORIGIN, PROVIDER_ORIGIN })).toBe(false)
  })
})
