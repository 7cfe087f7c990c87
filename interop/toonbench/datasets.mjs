// Writes the generated datasets of TOON's token benchmark, one a line as
// {"name": …, "data": …}. What counts is the order in which faker is asked,
// since its numbers come from one stream: the smaller datasets of the accuracy
// benchmark are made first and thrown away.
import { faker } from '@faker-js/faker'

const times = (n, make) => Array.from({ length: n }, (_, i) => make(i))
const oneOf = (list) => faker.helpers.arrayElement(list)
const int = (min, max) => faker.number.int({ min, max })
const cents = (x) => Number(x.toFixed(2))
const day = (date) => date.toISOString().slice(0, 10)
const recent = (days) => faker.date.recent({ days })
const mail = () => faker.internet.email().toLowerCase()

function employees(n) {
  const departments = ['Engineering', 'Sales', 'Marketing', 'HR', 'Operations', 'Finance']
  return { employees: times(n, (i) => {
    const yearsExperience = int(1, 25)
    const row = { id: i + 1, name: faker.person.fullName(), email: mail(), department: departments[i % 6], salary: int(45000, 150000) }
    return { ...row, yearsExperience, active: faker.datatype.boolean(0.8) }
  }) }
}

function orders(n) {
  const products = ['Wireless Mouse', 'USB Cable', 'Laptop Stand', 'Keyboard']
  const states = ['pending', 'processing', 'shipped', 'delivered', 'cancelled']
  return { orders: times(n, (i) => {
    const items = times(int(1, 4), (j) => {
      const price = faker.number.float({ min: 9.99, max: 199.99, fractionDigits: 2 })
      const quantity = int(1, 5)
      return { sku: 'SKU-' + faker.string.alphanumeric({ length: 6 }).toUpperCase(), name: products[j], quantity, price }
    })
    const subtotal = cents(items.reduce((sum, x) => sum + x.price * x.quantity, 0))
    const tax = cents(subtotal * 0.08)
    const customer = { id: i % 20 + 1, name: faker.person.fullName(), email: mail(), phone: faker.phone.number() }
    return {
      orderId: 'ORD-' + String(i + 1).padStart(4, '0'), customer, items, subtotal, tax, total: cents(subtotal + tax),
      status: states[i % 5], orderDate: day(recent(90)),
    }
  }) }
}

function analytics(n) {
  return { metrics: times(n, (i) => {
    const date = new Date('2025-01-01')
    date.setDate(date.getDate() + i)
    const usual = date.getDay() % 6 === 0 ? 5000 * 0.7 : 5000
    const views = Math.round(usual + int(-1000, 3000))
    const clicks = Math.round(views * faker.number.float({ min: 0.02, max: 0.08 }))
    const conversions = Math.round(clicks * faker.number.float({ min: 0.05, max: 0.15 }))
    const revenue = cents(conversions * faker.number.float({ min: 49.99, max: 299.99 }))
    return { date: day(date), views, clicks, conversions, revenue, bounceRate: faker.number.float({ min: 0.3, max: 0.7, fractionDigits: 2 }) }
  }) }
}

function logs(n) {
  const messages = ['Database connection timeout', 'Invalid authentication token', 'Resource not found', 'Internal server error', 'Rate limit exceeded']
  return { logs: times(n, () => {
    const level = oneOf(['info', 'warn', 'error'])
    const failed = level === 'error' || level === 'warn' && faker.datatype.boolean(0.3)
    const row = {
      timestamp: recent(7).toISOString(), level, endpoint: oneOf(['users', 'orders', 'products', 'auth', 'payments'].map((x) => '/api/' + x)),
      statusCode: failed ? int(400, 599) : int(200, 299), responseTime: int(10, 5000), userId: int(1000, 9999),
    }
    if (failed) {
      const message = oneOf(messages)
      const stack = ['Error: ' + faker.lorem.sentence(), faker.lorem.word(), faker.lorem.word()].join('\n  at ')
      row.error = { message, stack, retryable: faker.datatype.boolean(0.6) }
    }
    return row
  }) }
}

function configuration() {
  const flag = (variants) => ({ enabled: faker.datatype.boolean(), rollout: int(0, 100), variants })
  const theme = (name, weight, animations) => ({ name, weight, config: { theme: 'dark', animations } })
  const url = () => faker.internet.url()
  const secret = (length) => faker.string.alphanumeric({ length })
  const role = (permissions, inherits = []) => ({ permissions, inherits })
  const group = (n, roles) => ({ members: times(n, () => faker.internet.email()), roles })
  return {
    environment: oneOf(['production', 'staging', 'development']),
    version: faker.system.semver(),
    database: {
      host: faker.internet.domainName(), port: 5432, name: faker.database.type(),
      pool: { min: 2, max: int(10, 50), idleTimeout: 30000 },
      replicas: times(3, (i) => ({ host: `replica-${i + 1}.${faker.internet.domainName()}`, port: 5432, priority: i + 1 })),
    },
    features: {
      darkMode: flag([theme('default', 70, true), theme('minimal', 30, false)]),
      analytics: flag([{ name: 'full', weight: 100, config: { tracking: 'all', sampling: 1 } }]),
    },
    authentication: {
      providers: [
        { name: 'oauth2', clientId: faker.string.uuid(), scopes: ['read', 'write', 'admin'], config: { authUrl: url(), tokenUrl: url() } },
        { name: 'saml', clientId: faker.string.uuid(), scopes: ['read'], config: { entryPoint: url(), cert: secret(64) } },
      ],
      session: { secret: secret(32), duration: 86400, refreshThreshold: 3600 },
    },
    permissions: {
      roles: {
        admin: role(['read', 'write', 'delete', 'manage_users', 'manage_roles']),
        editor: role(['read', 'write'], ['viewer']),
        viewer: role(['read']),
      },
      groups: { engineering: group(5, ['admin', 'editor']), support: group(3, ['viewer']) },
    },
  }
}

function flags(n) {
  const rows = times(n, (i) => [`flag_${i}_${faker.word.noun()}`,
    { enabled: faker.datatype.boolean(0.6), rollout: int(0, 100), owner: faker.person.firstName(), updatedAt: day(recent(90)) }])
  return { flags: Object.fromEntries(rows) }
}

function contacts(n) {
  const plans = [['free', 0], ['starter', 15], ['pro', 40], ['enterprise', 120]]
  return { contacts: times(n, () => {
    const [name, price] = plans[int(0, 3)]
    return {
      name: faker.person.fullName(), age: int(18, 80), email: mail(),
      address: { city: faker.location.city(), country: faker.location.country() }, plan: { name, price },
    }
  }) }
}

faker.seed(12345)
faker.setDefaultRefDate('2025-06-01T00:00:00.000Z')
employees(100)
orders(50)
analytics(60)
logs(75)
const datasets = { 'nested-config': configuration() }
employees(20)
employees(23)
datasets.tabular = employees(2000)
datasets.nested = orders(500)
datasets.analytics = analytics(365)
datasets['event-logs'] = logs(2000)
faker.seed(67890)
flags(40)
datasets.keyed = flags(500)
faker.seed(67891)
contacts(50)
datasets['nested-group'] = contacts(1000)
for (const [name, data] of Object.entries(datasets)) console.log(JSON.stringify({ name, data }))
