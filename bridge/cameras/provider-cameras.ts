import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'

/** A home as the welcome of the provider has it. */
export type Home = Extract<ProviderMessage, { type: 'welcome' }>['homes'][number]

/** What the provider knows of this bridge's cameras, by their ids. */
export type KnownCameras = ReadonlyMap<string, { readonly home: Home; readonly camera: Home['cameras'][number] }>

export const knownIn = (homes: readonly Home[]): KnownCameras =>
  new Map(homes.flatMap((home) => home.cameras.map((camera) => [camera.device_id, { home, camera }] as const)))
