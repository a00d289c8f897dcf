/**
 * Saves an event's recording as a file. It is fetched here because a browser opens what another origin sends instead of
 * saving it. Answers whether it worked.
 */
export async function downloadClip(eventId: string, fileName: string): Promise<boolean> {
  try {
    const answer = await fetch(`/m/clip/${eventId}`)
    if (!answer.ok) return false
    const href = URL.createObjectURL(await answer.blob())
    Object.assign(document.createElement('a'), { href, download: fileName }).click()
    setTimeout(() => URL.revokeObjectURL(href))
    return true
  } catch {
    return false
  }
}
