import { atom, computed } from 'nanostores'
import { getShares, revokeShare, shareCamera, type HandoverLink } from '../../../contract/cameras/owner-calls.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { $devices } from '../home/devices.ts'
import { runUserAction, type Failure, ignoreNotFound, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

export type CameraShare = DataOf<typeof getShares>['shares'][number]
/** Way in which a person without an account gets an invitation. */
export type InvitationDelivery = DataOf<typeof getShares>['invites']
export type CameraSharesState =
  | { state: 'loading' }
  | { state: 'ready'; shares: readonly CameraShare[]; invites: InvitationDelivery }
  | { state: 'failed'; failure: Failure }

/** Invitation that the owner hands over after a share. */
export interface CameraInvitation extends HandoverLink {
  readonly deviceId: string
  readonly email: string
}

/** The only role that a share can grant: watch live video and see events. */
const GUEST_ROLE = 2

/** True if the account owns several cameras, so that it can share all of them at the same time. */
export const $ownsSeveralCameras = computed($devices, (state) => {
  if (state.state !== 'ready' && state.state !== 'remembered') return false
  return state.devices.filter(({ user_role }) => user_role === OWNER_ROLE).length > 1
})

export const $cameraShares = atom<CameraSharesState>({ state: 'loading' })
/** Invitation of the last share; null if the provider sends invitations, or creates no accounts for them. */
export const $cameraInvitation = atom<CameraInvitation | null>(null)

export async function loadCameraShares(): Promise<void> {
  const response = await withFailureShown('place', request(getShares, {}))
  if (response.ok) $cameraShares.set({ state: 'ready', ...response.data })
  else if ($cameraShares.get().state !== 'ready') $cameraShares.set({ state: 'failed', failure: response })
}

/**
 * Shares a camera, or all cameras of its home, with another account. Returns null on success, otherwise the failure. If the error is about the email
 * address (400 or 404 with a message), the caller must show the provider's message beside the field. A toast shows
 * other errors.
 */
export async function addCameraShare(
  deviceId: string,
  email: string,
  { allCameras = false } = {},
): Promise<Failure | null> {
  const input = { device_id: deviceId, email, role: GUEST_ROLE, ...(allCameras && { all_cameras: true }) } as const
  const response = await request(shareCamera, input)
  if (!response.ok) {
    const isAboutEmail = (response.status === 404 || response.status === 400) && response.msg !== ''
    return isAboutEmail ? { ...response, text: response.msg, inPlace: true } : showFailure('toast', response)
  }
  const { invitation } = response.data
  $cameraInvitation.set(invitation ? { ...invitation, deviceId, email } : null)
  showToast('success', allCameras ? `Shared all cameras with ${email}.` : `Shared the camera with ${email}.`)
  await loadCameraShares()
  return null
}

/**
 * Revokes shares of one person; the video of these cameras stops immediately. Ends at the first failure; the list then
 * shows the shares that remain.
 */
export async function removeCameraShares(deviceIds: readonly string[], email: string): Promise<Failure | null> {
  for (const deviceId of deviceIds) {
    const failure = await runUserAction(ignoreNotFound(request(revokeShare, { device_id: deviceId, email })))
    if (!failure) continue
    if (deviceId !== deviceIds[0]) await loadCameraShares()
    return failure
  }
  // The provider has invalidated the link.
  if ($cameraInvitation.get()?.email === email) $cameraInvitation.set(null)
  await loadCameraShares()
  return null
}
