/**
 * A node of a syntax tree and all below it, and whether each is in a function.
 * @param tree a node that acorn made
 */
export function* nodesBelow(tree) {
  const waiting = [{ node: tree, isInFunction: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const isInFunction = next.isInFunction || /Function/.test(next.node.type);
    for (const child of Object.values(next.node).flat())
      if (typeof child?.type === 'string') waiting.push({ node: child, isInFunction });
  }
}
