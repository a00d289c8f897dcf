import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'

export type WelcomeHome = Extract<ProviderMessage, { type: 'welcome' }>['homes'][number]

export type KnownCameras = ReadonlyMap<
  string,
  { readonly home: WelcomeHome; readonly camera: WelcomeHome['cameras'][number] }
>

export const indexKnownCameras = (homes: readonly WelcomeHome[]): KnownCameras =>
  new Map(homes.flatMap((home) => home.cameras.map((camera) => [camera.device_id, { home, camera }] as const)))
