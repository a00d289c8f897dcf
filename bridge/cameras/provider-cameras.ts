import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'

export type Home = Extract<ProviderMessage, { type: 'welcome' }>['homes'][number]

export type KnownCameras = ReadonlyMap<string, { readonly home: Home; readonly camera: Home['cameras'][number] }>

export const knownIn = (homes: readonly Home[]): KnownCameras =>
  new Map(homes.flatMap((home) => home.cameras.map((camera) => [camera.device_id, { home, camera }] as const)))
