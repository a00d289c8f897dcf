/**
 * Returns up to two letters for an account's avatar: `maya.reyes@example.com` gives `MR`, `owner@example.com` gives
 * `OW`.
 */
export function formatInitials(email: string): string {
  const [first = '', second] = (email.split('@')[0] ?? '').split(/[._+-]+/).filter(Boolean)
  return (second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)).toUpperCase()
}
