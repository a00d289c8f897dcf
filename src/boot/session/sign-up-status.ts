/**
 * Marks the document if visitors cannot create accounts, so that the style sheet hides links to the form. If the
 * request fails, the links stay, because the form itself says whom to contact.
 */
export async function markClosedSignUp(): Promise<void> {
  const response = await fetch('/api/auth/sign-up-status')
  const status = response.ok ? ((await response.json()) as { sign_up?: string }) : {}
  if (status.sign_up === 'closed') document.documentElement.dataset['signUp'] = 'closed'
}
