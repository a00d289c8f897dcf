import type { LicenseAssignment, OwnedPlan } from '../../billing/plans/entitlements.ts'
import type { Env } from '../../env.ts'
import { getObject } from '../../platform/objects.ts'

export type WithHomeId<T> = T & { readonly home_id: string }

export interface AccessibleHome {
  home_id: string
  /** Role of the account in the home; null if it only sees shared cameras. */
  role: number | null
}

export interface CameraAccess {
  device_id: string
  home_id: string
  bridge_id: string
  /** Role in the camera's home, or role of the share if the account is a guest. */
  role: number
  /** 1: member of the camera's home; 0: guest with a share. */
  member: 0 | 1
}

/**
 * Homes and cameras that an account may see, the plans and licenses of the owners of these homes, and whether the
 * account uses search.
 */
export interface AccountAccess {
  readonly userId: string
  /** Homes that the account owns come first, then homes that it is a member of, then homes of shared cameras. */
  readonly homes: readonly (AccessibleHome & { readonly name: string })[]
  readonly cameras: readonly CameraAccess[]
  readonly subscriptions: readonly WithHomeId<OwnedPlan>[]
  readonly bindings: readonly WithHomeId<LicenseAssignment>[]
  /** True if the account has turned on AI search. */
  readonly isEnrolledInSearch: boolean
}

/** Returns the current access of an account from its object, which reads D1 only after a change (docs/decisions/0107). */
export const readAccountAccess = (env: Env, userId: string): Promise<AccountAccess> =>
  getObject(env, 'GUARDS', userId).readAccess(userId)
