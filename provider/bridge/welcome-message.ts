import type { ProviderMessage, WelcomeCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { parseIceServers } from '../live/ice-servers.ts'

type WelcomeHomes = Extract<ProviderMessage, { type: 'welcome' }>['homes']

async function loadWelcomeHomes(env: Env, bridgeId: string): Promise<WelcomeHomes> {
  const { results } = await env.DB.prepare(
    'SELECT home_id, demo FROM bridge_homes JOIN homes USING (home_id) WHERE bridge_id = ? ORDER BY position',
  )
    .bind(bridgeId)
    .all<{ home_id: string; demo: number }>()
  return Promise.all(
    results.map(async ({ home_id, demo }) => ({
      home_id,
      demo: demo === 1,
      /* The RPC result type turns inner tuples into arrays, so restore the tuple type. */
      cameras: (await homeStub(env, home_id).bridgeCameras(bridgeId)) as WelcomeCamera[],
    })),
  )
}

export async function buildWelcome(env: Env, bridgeId: string): Promise<string> {
  const homes = await loadWelcomeHomes(env, bridgeId)
  const ice_servers = parseIceServers(env)
  const abilities = { confirms_coverage: true, stores_thumbnails: true }
  const welcome: ProviderMessage = { type: 'welcome', now: Date.now(), homes, ice_servers, ...abilities }
  return JSON.stringify(welcome)
}
