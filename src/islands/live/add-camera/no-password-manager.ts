/** Prevents password managers from saving or filling in a camera's login as if it were the portal's. */
export const NO_PASSWORD_MANAGER = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  'data-1p-ignore': true,
} as const
