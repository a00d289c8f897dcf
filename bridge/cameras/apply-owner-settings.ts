import type { ProviderMessage, WelcomeCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { ManagedCamera } from './managed-camera.ts'

export type Chosen = Pick<WelcomeCamera, 'power' | 'rendition' | 'pip' | 'settings'>

/** Applies owner settings to a camera; idempotent. */
export function applyChosen(unit: ManagedCamera, chosen: Partial<Chosen>): void {
  const { camera } = unit
  if (chosen.settings) unit.configure(chosen.settings)
  if (chosen.rendition != null) camera.setRendition(chosen.rendition)
  if (chosen.pip !== undefined) camera.source.swap?.(chosen.pip)
  if (chosen.power !== undefined) camera.setPower(chosen.power)
}

/** Returns the owner settings in a message; undefined for a one-time command, which is not stored. */
export function toOwnerSettings(message: ProviderMessage): Partial<Chosen> | undefined {
  if (message.type === 'settings') return { settings: message.settings }
  if (message.type !== 'command') return undefined
  if (message.command === 'power') return { power: message.on }
  if (message.command === 'rendition') return { rendition: message.name }
  return message.command === 'pip' ? { pip: message.swap } : undefined
}
