// The part of a DOM that D3 and the charts use, for Node: elements with attributes, styles and children, which are
// written as SVG.

class Style {
  constructor() { this.all = new Map(); }
  setProperty(name, value) { this.all.set(name, `${value}`); }
  removeProperty(name) { this.all.delete(name); }
  getPropertyValue(name) { return this.all.get(name) ?? ''; }
}

class Node {
  constructor(name, document) {
    Object.assign(this, {nodeName: name, nodeType: 1, namespaceURI: 'http://www.w3.org/2000/svg', ownerDocument: document, parentNode: null,
                         childNodes: [], attributes: new Map(), style: new Style(), content: ''});
  }
  get parentElement() { return this.parentNode; }
  get children() { return this.childNodes; }
  get textContent() { return this.content + this.childNodes.map(n => n.nodeName === 'title' ? '' : n.textContent).join(''); }
  set textContent(text) { this.content = `${text ?? ''}`; this.childNodes = []; }
  setAttribute(name, value) { this.attributes.set(name, `${value}`); }
  setAttributeNS(space, name, value) { this.setAttribute(name, value); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  removeAttribute(name) { this.attributes.delete(name); }
  appendChild(child) { return this.insertBefore(child, null); }
  insertBefore(child, next) {
    child.parentNode = this;
    const at = next ? this.childNodes.indexOf(next) : -1;
    at < 0 ? this.childNodes.push(child) : this.childNodes.splice(at, 0, child);
    return child;
  }
  all() { return this.childNodes.flatMap(n => [n, ...n.all()]); }
  querySelectorAll(name) { return this.all().filter(n => n.nodeName === name); }
  querySelector(name) { return this.querySelectorAll(name)[0] ?? null; }
  addEventListener() {}
  removeEventListener() {}
}

function newDocument() {
  const document = {nodeType: 9};
  document.createElementNS = (space, name) => new Node(name, document);
  document.createElement = name => new Node(name, document);
  document.documentElement = document.createElement('html');
  document.documentElement.parentNode = document;
  document.body = document.documentElement.appendChild(document.createElement('body'));
  document.querySelector = name => document.documentElement.querySelector(name);
  document.querySelectorAll = name => document.documentElement.querySelectorAll(name);
  return document;
}

globalThis.document = newDocument();
