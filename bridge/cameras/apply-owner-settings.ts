import type { ProviderMessage, WelcomeCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { ManagedCamera } from './managed-camera.ts'

export type ReceivedOwnerSettings = Pick<WelcomeCamera, 'power' | 'rendition' | 'pip' | 'settings'>

/** Applies owner settings to a camera; idempotent. */
export function applyOwnerSettings(managedCamera: ManagedCamera, settings: Partial<ReceivedOwnerSettings>): void {
  const { camera } = managedCamera
  if (settings.settings) managedCamera.applySettings(settings.settings)
  if (settings.rendition != null) camera.setRendition(settings.rendition)
  if (settings.pip !== undefined) camera.source.swap?.(settings.pip)
  if (settings.power !== undefined) camera.setPower(settings.power)
}

/** Returns the owner settings in a message; undefined if the message contains none, for example a one-time command. */
export function getOwnerSettings(message: ProviderMessage): Partial<ReceivedOwnerSettings> | undefined {
  if (message.type === 'settings') return { settings: message.settings }
  if (message.type !== 'command') return undefined
  if (message.command === 'power') return { power: message.on }
  if (message.command === 'rendition') return { rendition: message.name }
  return message.command === 'pip' ? { pip: message.swap } : undefined
}
