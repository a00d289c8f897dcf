import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { openTestDeployment, type TestDeployment } from './harness.ts'
import { startSignIn, completeSignInPage } from './sign-in-walk.ts'
import { Visitor } from './visitor.ts'

export interface EdgeDeployment {
  readonly deployment: TestDeployment
  readonly proxy: FaultProxy
  readonly portalOrigin: string
  visitor(): Visitor
  close(): Promise<void>
}

type EnvironmentChange = Record<string, string>

/**
 * Opens a test deployment with a fault proxy in front of the provider. `change`: environment values, or a function that
 * computes them from the environment, which already contains the origins. `countsWork`: counts what Cloudflare bills.
 */
export async function openEdge(
  change: EnvironmentChange | ((env: RunEnvironment) => Promise<EnvironmentChange>) = {},
  portal: true | 'with its site' = true,
  countsWork = false,
): Promise<EdgeDeployment> {
  const proxy = await openFaultProxy()
  const deployment = await openTestDeployment({
    portal,
    seeded: true,
    countsWork,
    async change(env) {
      proxy.forwardTo(env.PROVIDER_ORIGIN)
      const more = typeof change === 'function' ? await change(env) : change
      return { PROVIDER_ORIGIN: proxy.origin, OIDC_ISSUER: proxy.origin, ...more }
    },
  })
  proxy.clearFaults()
  return {
    deployment,
    proxy,
    portalOrigin: deployment.env.PORTAL_ORIGIN,
    visitor: () => new Visitor(deployment.env.PORTAL_ORIGIN),
    async close() {
      await deployment.close()
      await proxy.close()
    },
  }
}

export async function signInThroughEdge(
  visitor: Visitor,
  state = '/live',
  email = 'owner@example.com',
): Promise<Response> {
  const callback = await completeSignInPage(visitor, await startSignIn(visitor, state), email)
  return visitor.navigate(callback)
}
