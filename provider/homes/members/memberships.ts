import type { AccountAccess } from './account-access.ts'

export interface Membership {
  home_id: string
  /** Role in the home (contract/auth/roles.ts). */
  role: number
  name: string
}

/** Lists the homes that the account owns or is a member of. Homes that it owns come first. */
export const listHomes = ({ homes }: AccountAccess): Membership[] =>
  homes.flatMap(({ home_id, role, name }) => (role === null ? [] : { home_id, role, name }))
