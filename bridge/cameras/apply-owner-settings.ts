import type { ProviderMessage, WelcomeCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { ManagedCamera } from './managed-camera.ts'

/** What an owner chooses for a camera. */
export type Chosen = Pick<WelcomeCamera, 'power' | 'rendition' | 'pip' | 'settings'>

/** Makes a camera what its owner has chosen; choosing it again changes nothing. */
export function applyChosen(unit: ManagedCamera, chosen: Partial<Chosen>): void {
  const { camera } = unit
  if (chosen.settings) unit.configure(chosen.settings)
  if (chosen.rendition != null) camera.setRendition(chosen.rendition)
  if (chosen.pip !== undefined) camera.source.swap?.(chosen.pip)
  if (chosen.power !== undefined) camera.setPower(chosen.power)
}

/** The choice that a message carries; undefined where it is to be done once, and not remembered. */
export function toOwnerSettings(message: ProviderMessage): Partial<Chosen> | undefined {
  if (message.type === 'settings') return { settings: message.settings }
  if (message.type !== 'command') return undefined
  if (message.command === 'power') return { power: message.on }
  if (message.command === 'rendition') return { rendition: message.name }
  return message.command === 'pip' ? { pip: message.swap } : undefined
}
