/**
 * Shows the content of the page, like boot/page/protected-page.ts, if the document's request for the current user has
 * returned a user. Documents contain this function as text.
 */
export function showPageOfUser(): void {
  window.early
    ?.find(({ url }) => url === '/api/auth/me')
    ?.answer.then(({ text }) => {
      const user = JSON.parse(text) as { code?: unknown; user_id?: unknown }
      // Without the loading indicator, the page already shows its content or an error.
      const loading = document.getElementById('loading')
      const content = document.getElementById('content')
      if (!loading || !content || user.code !== 200 || !user.user_id) return
      loading.remove()
      content.hidden = false
    })
    .catch(() => {})
}
