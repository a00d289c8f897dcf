/** Where the parts of the account do not fit beside each other, the one that is open is moved into view. */
addEventListener('porchlight:session', () => {
  const open = document.querySelector<HTMLElement>('.tabs [aria-current]')
  const tabs = open?.parentElement
  // By hand: `scrollIntoView` would move the page too.
  if (open && tabs) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
})
