/** Link to the bank's 3-D Secure page. The current page stays open and detects the result automatically. */
export function BankLink({ url }: { url: string }) {
  return (
    <a className="btn btn-outline btn-sm" href={url} target="_blank" rel="noopener noreferrer">
      Confirm with your bank
    </a>
  )
}
