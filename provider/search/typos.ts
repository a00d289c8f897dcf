/** Words shorter than that are taken as they are: too many others are one letter away. */
const SHORT = 4

/** The word among `words` that is one slip away (a letter more, less, other, or two exchanged), or begins with it; null when none is. */
export function meantBy(word: string, words: Iterable<string>): string | null {
  if (word.length < SHORT) return null
  let begun: string | null = null
  for (const known of words) {
    if (isOneSlip(word, known)) return known
    if (begun === null && known.startsWith(word)) begun = known
  }
  return begun
}

function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || b.length < SHORT) return false
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  const [restA, restB] = [a.slice(same), b.slice(same)]
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  )
}
